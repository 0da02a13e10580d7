import { ApiError, GoogleGenAI, type Tool, Type } from '@google/genai';
import { beforeEach, expect, it } from 'vitest';
import type { FakeUpstream } from '../../testing/fake-upstream.ts';
import {
  generated,
  generatedStream,
  generateError,
  response,
} from '../../testing/generate-content-upstream.ts';
import { type TestGateway, testKey } from '../../testing/test-gateway.ts';
import { twoEndsEachFile } from '../../testing/two-ends.ts';

let upstream: FakeUpstream;
let gateway: TestGateway;
let client: GoogleGenAI;
twoEndsEachFile((ends) => {
  ({ upstream, gateway } = ends);
});
beforeEach(() => {
  upstream.queue.length = 0;
  client = clientWith(testKey);
});

const model = 'gamma-3-flash';
const clientWith = (apiKey: string): GoogleGenAI =>
  new GoogleGenAI({
    apiKey,
    httpOptions: { baseUrl: `${gateway.url}/compat-b`, retryOptions: { attempts: 1 } },
  });
const functionCallPart = { functionCall: { name: 'f', args: { a: 1 } }, thoughtSignature: 'c2ln' };

it('the official client has its answer, and its settings go on as it wrote them', async () => {
  upstream.queue.push(generated(['Hello']));
  const answer = await client.models.generateContent({
    model,
    contents: 'hi',
    config: { systemInstruction: 'be', temperature: 0.5, topK: 3, thinkingConfig: { thinkingBudget: 0 } },
  });
  expect(answer.text).toBe('Hello');
  expect(answer.modelVersion).toBe(model);
  expect(upstream.seen[0]?.body).toEqual({
    contents: [{ role: 'user', parts: [{ text: 'hi' }] }],
    systemInstruction: { role: 'user', parts: [{ text: 'be' }] },
    generationConfig: { temperature: 0.5, topK: 3, thinkingConfig: { thinkingBudget: 0 } },
  });
});

it('its conversation keeps calls and their signatures over a stream', async () => {
  upstream.queue.push(
    generatedStream([response(['so ']), response([functionCallPart], 'STOP')]),
    generatedStream([response(['done'], 'STOP')]),
  );
  const tools: Tool[] = [{ functionDeclarations: [{ name: 'f', parameters: { type: Type.OBJECT } }] }];
  const chat = client.chats.create({ model, config: { tools } });
  const said = async (message: Parameters<typeof chat.sendMessageStream>[0]['message']) => {
    let text = '';
    for await (const one of await chat.sendMessageStream({ message })) {
      text += (one.candidates?.[0]?.content?.parts ?? []).map((part) => part.text ?? '').join('');
    }
    return text;
  };
  expect(await said('hi')).toBe('so ');
  expect(await said([{ functionResponse: { name: 'f', response: { output: 'x' } } }])).toBe('done');
  const { contents } = upstream.seen[1]?.body ?? {};
  const turns = contents.filter(({ role }: { role: string }) => role === 'model');
  expect(turns.flatMap(({ parts }: { parts: object[] }) => parts)).toContainEqual(functionCallPart);
});

it.for([
  ['an unknown model', 'gamma-9', 404, 'model_not_found'],
  ['a busy upstream', model, 429, 'channel_queue_full'],
] as const)('its error for %s has the status and our code', async ([, name, status, code]) => {
  upstream.fallback = (reply) => {
    reply.writeHead(503, { 'content-type': 'application/json' });
    reply.end(JSON.stringify(generateError(503, 'UNAVAILABLE', 'RAW')));
  };
  const failed = await client.models.generateContent({ model: name, contents: 'hi' }).catch((error) => error);
  expect(failed).toBeInstanceOf(ApiError);
  expect(failed).toMatchObject({ status, message: expect.stringContaining(code) });
});

it('its error for a wrong key is one of authentication', async () => {
  const failed = clientWith('sk-app-wrong').models.generateContent({ model, contents: 'hi' });
  await expect(failed).rejects.toMatchObject({ status: 401 });
});
