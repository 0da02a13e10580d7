import { createAnthropic } from '@ai-sdk/anthropic';
import { createGoogleGenerativeAI } from '@ai-sdk/google';
import { createOpenAI } from '@ai-sdk/openai';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { generateText, type LanguageModel, Output, streamText, type ToolSet, tool } from 'ai';
import { z } from 'zod';
import type { Stack } from './stack.ts';
import { type Subject, toolNames } from './subject.ts';

const tools: ToolSet = Object.fromEntries(
  toolNames.map((name) => [
    name,
    tool({ description: 'Does something with a word.', inputSchema: z.object({ word: z.string() }) }),
  ]),
);

const prompt = 'Say something about the sea.';

/** The providers of the AI SDK, each with the model families that its protocol reaches. */
export function vercelSubjects({ url, key: apiKey }: Stack): Subject[] {
  const core = `${url}/api/v1`;
  const openai = createOpenAI({ baseURL: core, apiKey });
  const compatible = createOpenAICompatible({ name: 'gateway', baseURL: core, apiKey });
  const anthropic = createAnthropic({ baseURL: `${url}/compat-a/v1`, apiKey });
  const google = createGoogleGenerativeAI({ baseURL: `${url}/compat-b/v1beta`, apiKey });
  const coreModels = ['alpha-5-2', 'beta-large-4-5', 'gamma-3-pro', 'delta-3'];
  const onCore = (client: string, setting: string, make: (model: string) => LanguageModel): Subject[] =>
    coreModels.map((model) => subject({ client, setting, path: 'core', model, make }));
  return [
    ...onCore(
      '@ai-sdk/openai',
      "createOpenAI({ baseURL: gateway + '/api/v1', apiKey }).chat(model)",
      (model) => openai.chat(model),
    ),
    ...onCore(
      '@ai-sdk/openai-compatible',
      "createOpenAICompatible({ name: 'gateway', baseURL: gateway + '/api/v1', apiKey })",
      (model) => compatible(model),
    ),
    subject({
      client: '@ai-sdk/anthropic',
      setting: "createAnthropic({ baseURL: gateway + '/compat-a/v1', apiKey })",
      path: 'compat A',
      model: 'beta-large-4-5',
      make: (model) => anthropic(model),
    }),
    subject({
      client: '@ai-sdk/google',
      setting: "createGoogleGenerativeAI({ baseURL: gateway + '/compat-b/v1beta', apiKey })",
      path: 'compat B',
      model: 'gamma-3-pro',
      make: (model) => google(model),
    }),
  ];
}

function subject({
  make,
  ...facts
}: Pick<Subject, 'client' | 'setting' | 'path' | 'model'> & {
  readonly make: (model: string) => LanguageModel;
}): Subject {
  const model = make(facts.model);
  return {
    ...facts,
    sees: facts.model !== 'delta-3',
    text: async (abortSignal) =>
      (await generateText({ model, prompt, ...(abortSignal === undefined ? {} : { abortSignal }) })).text,
    stream: async () => {
      let text = '';
      for await (const part of streamText({ model, prompt, maxRetries: 0 }).textStream) text += part;
      return text;
    },
    calls: async (streamed) => {
      const asked = { model, prompt, tools, maxRetries: 0 };
      const found = streamed ? await streamText(asked).toolCalls : (await generateText(asked)).toolCalls;
      return found.map(({ toolName, input }) => ({ name: toolName, args: input }));
    },
    object: async () => {
      const output = Output.object({ schema: z.object({ name: z.string() }) });
      return (await generateText({ model, prompt: `${prompt} Answer in JSON.`, output, maxRetries: 0 }))
        .output;
    },
    image: async (png) => {
      const image = { type: 'file', mediaType: 'image/png', data: png } as const;
      const content = [{ type: 'text', text: 'What is this?' } as const, image];
      return (await generateText({ model, messages: [{ role: 'user', content }], maxRetries: 0 })).text;
    },
    unknownModel: () => generateText({ model: make('no-such-model'), prompt, maxRetries: 0 }),
    cachedTokens: async () =>
      (await generateText({ model, prompt, maxRetries: 0 })).usage.inputTokenDetails.cacheReadTokens,
  };
}
