import Anthropic from 'anthropic-sdk-1';
import { betaTool } from 'anthropic-sdk-1/helpers/beta/json-schema';
import { GoogleGenAI } from 'google-genai-3';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Stack, startStack } from './stack.ts';

let stack: Stack;
beforeAll(async () => {
  stack = await startStack({ seed: 1, tenants: 1 });
});
afterAll(() => stack.stop());

const asked = {
  model: 'beta-large-4-5',
  max_tokens: 200,
  messages: [{ role: 'user' as const, content: 'Say something.' }],
};

describe('version 1 of the messages client, with the options of docs/gateway.md,', () => {
  const client = () => {
    const { K1: apiKey } = stack.profile.keys;
    return new Anthropic({
      apiKey,
      authToken: null,
      baseURL: `${stack.baseUrl}/compat-a`,
      defaultHeaders: { 'x-api-key': apiKey, authorization: null },
      maxRetries: 0,
    });
  };

  it('completes and streams the same message', async () => {
    const { content } = await client().messages.create(asked);
    expect(content).toMatchObject([{ type: 'text', text: expect.stringMatching(/\.$/) }]);
    expect((await client().messages.stream(asked).finalMessage()).content).toEqual(content);
  });

  it('runs its tools, although the gateway does not store conversations (B-146)', async () => {
    const places: unknown[] = [];
    const tool = betaTool({
      name: 'tide',
      description: 'The tide at a place.',
      inputSchema: { type: 'object', properties: { place: { type: 'string' } }, required: ['place'] },
      run: ({ place }) => {
        places.push(place);
        return 'high';
      },
    });
    const runner = client().beta.messages.toolRunner({
      ...asked,
      tools: [tool],
      tool_choice: { type: 'any' },
      max_iterations: 2,
    });
    expect((await runner).stop_reason).toBe('tool_use');
    expect(places).toContainEqual(expect.any(String));
  });

  it('throws its typed errors', async () => {
    const refused = client().messages.create({ ...asked, model: 'none' });
    await expect(refused).rejects.toMatchObject({
      constructor: Anthropic.NotFoundError,
      requestID: expect.any(String),
    });
  });
});

it('version 3 of the generate-content client completes and streams the same text', async () => {
  const { models } = new GoogleGenAI({
    apiKey: stack.profile.keys.K1,
    apiVersion: 'v1beta',
    httpOptions: { baseUrl: `${stack.baseUrl}/compat-b` },
  });
  const call = { model: 'gamma-3-pro', contents: 'Say something.' };
  const { text } = await models.generateContent(call);
  expect(text).toMatch(/\.$/);
  let streamed = '';
  for await (const chunk of await models.generateContentStream(call)) streamed += chunk.text ?? '';
  expect(streamed).toBe(text);
});
