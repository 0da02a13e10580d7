import OpenAI from 'openai';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { delta, events, type FakeUpstream, json, startFakeUpstream } from '../testing/fake-upstream.ts';
import { pngOf } from '../testing/native-media.ts';
import { startTestGateway, type TestGateway, testConfig, testKey } from '../testing/test-gateway.ts';

let upstream: FakeUpstream;
let gateway: TestGateway;
let client: OpenAI;
beforeAll(async () => {
  upstream = await startFakeUpstream();
  gateway = await startTestGateway(testConfig(upstream.url));
  client = new OpenAI({ apiKey: testKey, baseURL: `${gateway.url}/api/v1`, maxRetries: 0 });
});
afterAll(async () => {
  await gateway.close();
  await upstream.close();
});

const messages = [{ role: 'user' as const, content: 'hi' }];

it('makes pictures', async () => {
  const base64 = pngOf(8, 8).toString('base64');
  upstream.fallback = json(200, { created: 1, data: [{ base64 }, { base64 }] });
  const asked = { model: 'alpha-image-2', prompt: 'the sea', size: '1024x1536' as const, n: 2 };
  const linked = await client.images.generate(asked);
  expect(linked.data?.map(({ url }) => url)).toEqual(Array(2).fill(expect.stringContaining('/media/')));
  const whole = await client.images.generate({ ...asked, response_format: 'b64_json' });
  expect(whole.data?.[1]?.b64_json).toBe(base64);
  await expect(client.images.generate({ ...asked, n: 5 })).rejects.toMatchObject({ status: 400, param: 'n' });
});

it('lists the models', async () => {
  const ids: string[] = [];
  for await (const model of client.models.list()) ids.push(model.id);
  expect(ids).toContain('alpha-codex');
});

it('sees errors as its own typed ones', async () => {
  const create = (model: string, more: object = {}, key = testKey) =>
    client.withOptions({ apiKey: key }).chat.completions.create({ model, messages, ...more });
  await expect(create('alpha-5-2', {}, 'sk-app-wrong-key')).rejects.toThrow(OpenAI.AuthenticationError);
  await expect(create('nobody')).rejects.toThrow(OpenAI.NotFoundError);
  await expect(create('alpha-5-2', { temperature: 3 })).rejects.toMatchObject({
    status: 400,
    code: 'invalid_param',
    param: 'temperature',
  });
  upstream.fallback = json(500, {});
  await expect(create('alpha-5-2')).rejects.toThrow(OpenAI.InternalServerError);
});

it('sees a stream that breaks as an error', async () => {
  upstream.fallback = events([delta({ content: 'x' })], 'reset');
  const stream = await client.chat.completions.create({ model: 'alpha-5-2', messages, stream: true });
  const consume = async (): Promise<void> => {
    for await (const _chunk of stream);
  };
  await expect(consume()).rejects.toThrow();
});
