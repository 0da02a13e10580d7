import { ChatAnthropic } from '@langchain/anthropic';
import type { BaseChatModel } from '@langchain/core/language_models/chat_models';
import { type AIMessageChunk, HumanMessage, type UsageMetadata } from '@langchain/core/messages';
import { tool } from '@langchain/core/tools';
import { ChatGoogleGenerativeAI } from '@langchain/google-genai';
import { ChatOpenAI } from '@langchain/openai';
import { z } from 'zod';
import type { Stack } from './stack.ts';
import { type Subject, toolNames } from './subject.ts';

const tools = toolNames.map((name) =>
  tool(() => 'done', {
    name,
    description: 'Does something with a word.',
    schema: z.object({ word: z.string() }),
  }),
);

const prompt = 'Say something about the sea.';

type Make = (model: string, maxRetries: number) => BaseChatModel;

/** The chat models of LangChain, each with the model families that its protocol reaches. */
export function langchainSubjects({ url, key: apiKey }: Stack): Subject[] {
  const openai: Make = (model, maxRetries) =>
    new ChatOpenAI({ model, apiKey, maxRetries, configuration: { baseURL: `${url}/api/v1` } });
  return [
    ...['alpha-5-2', 'beta-large-4-5', 'gamma-3-pro', 'delta-3'].map((model) =>
      subject({
        client: '@langchain/openai',
        setting: "new ChatOpenAI({ model, apiKey, configuration: { baseURL: gateway + '/api/v1' } })",
        path: 'core',
        model,
        make: openai,
      }),
    ),
    subject({
      client: '@langchain/anthropic',
      setting: "new ChatAnthropic({ model, apiKey, anthropicApiUrl: gateway + '/compat-a' })",
      path: 'compat A',
      objectByTool: true,
      model: 'beta-large-4-5',
      make: (model, maxRetries) =>
        new ChatAnthropic({ model, apiKey, maxRetries, anthropicApiUrl: `${url}/compat-a` }),
    }),
    subject({
      client: '@langchain/google-genai',
      setting: "new ChatGoogleGenerativeAI({ model, apiKey, baseUrl: gateway + '/compat-b' })",
      path: 'compat B',
      model: 'gamma-3-pro',
      make: (model, maxRetries) =>
        new ChatGoogleGenerativeAI({ model, apiKey, maxRetries, baseUrl: `${url}/compat-b` }),
    }),
  ];
}

function subject({
  make,
  ...facts
}: Pick<Subject, 'client' | 'setting' | 'path' | 'model' | 'objectByTool'> & {
  readonly make: Make;
}): Subject {
  const model = make(facts.model, 0);
  return {
    ...facts,
    sees: facts.model !== 'delta-3',
    text: async (signal) =>
      (await make(facts.model, 2).invoke(prompt, signal === undefined ? {} : { signal })).text,
    stream: async () => {
      let text = '';
      for await (const chunk of await model.stream(prompt)) text += chunk.text;
      return text;
    },
    calls: async (streamed) => {
      const bound = model.bindTools?.(tools);
      if (bound === undefined) throw new Error('it binds no tools');
      if (!streamed) return calledIn(await bound.invoke(prompt));
      let whole: AIMessageChunk | undefined;
      for await (const chunk of await bound.stream(prompt)) whole = whole?.concat(chunk) ?? chunk;
      return whole === undefined ? [] : calledIn(whole);
    },
    object: () =>
      model
        .withStructuredOutput(z.object({ name: z.string() }), { name: 'answer' })
        .invoke(`${prompt} Answer in JSON.`),
    image: async (png) => {
      const image = { type: 'image_url', image_url: { url: `data:image/png;base64,${png}` } };
      const content = [{ type: 'text', text: 'What is this?' }, image];
      return (await model.invoke([new HumanMessage({ content })])).text;
    },
    unknownModel: () => make('no-such-model', 0).invoke(prompt),
    cachedTokens: async () => {
      const { usage_metadata: usage } = (await model.invoke(prompt)) as unknown as {
        readonly usage_metadata?: UsageMetadata;
      };
      return usage?.input_token_details?.cache_read;
    },
  };
}

function calledIn({ tool_calls: calls = [] }: Pick<AIMessageChunk, 'tool_calls'>) {
  return calls.map(({ name, args }) => ({ name, args }));
}
