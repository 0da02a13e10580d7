import { Agent, OpenAIChatCompletionsModel, Runner, setTracingDisabled, tool } from '@openai/agents';
import OpenAI from 'openai';
import { z } from 'zod';
import type { Stack } from './stack.ts';

/** An agent that gets a task, calls tools as its model requests, and ends with an answer. */
export interface AgentLoop {
  readonly client: string;
  readonly setting: string;
  readonly model: string;
  /** Its final answer, and the arguments of its tool calls. */
  run(streamed: boolean): Promise<{ readonly answer: string; readonly words: readonly string[] }>;
}

export function agentLoops({ url, key: apiKey }: Stack): AgentLoop[] {
  setTracingDisabled(true);
  const client = new OpenAI({ baseURL: `${url}/api/v1`, apiKey, maxRetries: 0 });
  return ['alpha-5-2', 'beta-large-4-5', 'gamma-3-pro', 'delta-3'].map((name) => ({
    client: '@openai/agents',
    setting: "new OpenAIChatCompletionsModel(new OpenAI({ baseURL: gateway + '/api/v1', apiKey }), model)",
    model: name,
    run: async (streamed) => {
      const words: string[] = [];
      const agent = new Agent({
        name: 'speller',
        instructions: 'Use the tool.',
        model: new OpenAIChatCompletionsModel(client, name),
        tools: [
          tool({
            name: 'spell',
            description: 'Spells a word.',
            parameters: z.object({ word: z.string() }),
            execute: ({ word }) => {
              words.push(word);
              return [...word].join('-');
            },
          }),
        ],
      });
      const runner = new Runner({ tracingDisabled: true });
      if (!streamed) return { answer: (await runner.run(agent, 'Spell the sea.')).finalOutput ?? '', words };
      const result = await runner.run(agent, 'Spell the sea.', { stream: true });
      await result.completed;
      return { answer: result.finalOutput ?? '', words };
    },
  }));
}
