import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { extensionNames } from '../config/extensions.ts';
import {
  completion,
  events,
  type FakeUpstream,
  frames,
  json,
  startFakeUpstream,
  usageFrame,
} from '../testing/fake-upstream.ts';
import { startTestGateway, type TestGateway, testConfig, testKey } from '../testing/test-gateway.ts';
import { parseEvents, read } from '../testing/wire.ts';

let upstream: FakeUpstream;
let plain: TestGateway;
let extended: TestGateway;
beforeAll(async () => {
  upstream = await startFakeUpstream();
  const config = testConfig(upstream.url);
  plain = await startTestGateway(config);
  extended = await startTestGateway({ ...config, extensions: [...extensionNames] });
});
afterAll(async () => {
  await Promise.all([plain.close(), extended.close()]);
  await upstream.close();
});

const user = { role: 'user', content: 'hi' };
const ask = (gateway: TestGateway, body: object) =>
  gateway.chat({ model: 'delta-3', messages: [user], ...body });
const sent = () => upstream.seen.at(-1)?.body;

describe('max_completion_tokens', () => {
  it('is an unknown field, or max_tokens when switched on', async () => {
    const body = { max_completion_tokens: 50 };
    const refused = { code: 'invalid_param', param: 'max_completion_tokens' };
    expect((await ask(plain, body)).json.error).toMatchObject(refused);
    const { status } = await ask(extended, body);
    expect([status, sent().max_tokens, sent().max_completion_tokens]).toEqual([200, 50, undefined]);
  });

  it('is rejected together with max_tokens, and for values that max_tokens rejects', async () => {
    const both = await ask(extended, { max_completion_tokens: 50, max_tokens: 50 });
    expect(both.json.error).toMatchObject({ code: 'invalid_param', param: 'max_completion_tokens' });
    expect((await ask(extended, { max_completion_tokens: 0 })).json.error.code).toBe('invalid_param');
  });
});

describe('the role developer', () => {
  it('is unknown, or the role system when switched on', async () => {
    const messages = [{ role: 'developer', content: 'Be short.' }, user];
    expect((await ask(plain, { messages })).json.error.code).toBe('invalid_param');
    expect((await ask(extended, { messages })).status).toBe(200);
    expect(sent().messages).toMatchObject([{ role: 'system', content: 'Be short.' }, user]);
  });
});

describe('one model of the list', () => {
  const show = (gateway: TestGateway, id: string) =>
    read(`${gateway.url}/api/v1/models/${id}`, { key: testKey });

  it('has no path, unless it is switched on', async () => {
    expect((await show(plain, 'delta-3')).json.error.code).toBe('not_found');
    const { json } = await read(`${extended.url}/api/v1/models`, { key: testKey });
    for (const model of json.data) expect((await show(extended, model.id)).json).toEqual(model);
  });

  it('is not found if the list does not contain it', async () => {
    const { status, json } = await show(extended, 'nothing');
    expect([status, json.error.code]).toEqual([404, 'model_not_found']);
  });
});

describe('count_tokens', () => {
  const body = { model: 'beta-mid-4-5', messages: [user], system: 'Be short.' };
  const count = (gateway: TestGateway, more: object = {}) =>
    read(`${gateway.url}/compat-a/v1/messages/count_tokens`, {
      method: 'POST',
      headers: { 'x-api-key': testKey, 'anthropic-version': '2023-06-01' },
      body: { ...body, ...more },
    });

  it('has no path unless it is switched on; the upstream counts and nothing is charged', async () => {
    expect((await count(plain)).status).toBe(404);
    const books = () => [extended.records.length, extended.released.length];
    const before = books();
    upstream.count = json(200, { input_tokens: 23 });
    const { status, json: answer } = await count(extended);
    expect([status, answer]).toEqual([200, { input_tokens: 23 }]);
    const { model, messages, system, max_tokens } = upstream.counted.at(-1)?.body ?? {};
    expect({ model, messages, system, max_tokens }).toEqual({
      ...body,
      model: 'native-beta-mid-4-5',
      max_tokens: undefined,
    });
    expect(books()).toEqual(before);
  });

  it('rejects what the messages endpoint rejects, in the same format', async () => {
    const { status, json: answer } = await count(extended, { messages: [] });
    expect([status, answer.type, answer.error.type]).toEqual([400, 'error', 'invalid_request_error']);
    expect((await count(extended, { model: 'delta-3' })).status).toBe(404);
  });

  it('reports an upstream that fails to count', async () => {
    upstream.count = json(500, { error: { message: 'x' } });
    expect((await count(extended)).json.error).toMatchObject({ code: 'upstream_error' });
  });
});

describe('reasoning_tokens', () => {
  const usage = {
    prompt_tokens: 9,
    completion_tokens: 20,
    completion_tokens_details: { reasoning_tokens: 12 },
  };
  const shown = { completion_tokens: 20, completion_tokens_details: { reasoning_tokens: 12 } };

  it('are not shown unless switched on', async () => {
    upstream.fallback = completion('Hello', { usage });
    const one = (await ask(plain, {})).json.usage;
    expect([one.completion_tokens, one.completion_tokens_details]).toEqual([20, undefined]);
    expect((await ask(extended, {})).json.usage).toMatchObject(shown);
  });

  it('are in the last chunk of a stream', async () => {
    const counts = `data: ${JSON.stringify({ choices: [], usage })}\n\n`;
    upstream.fallback = events(frames(['Hello']).map((frame) => (frame === usageFrame ? counts : frame)));
    const { text } = await ask(extended, { stream: true });
    expect(parseEvents(text).chunks.at(-1)).toMatchObject({ usage: shown });
  });
});

it('extensions change nothing else', async () => {
  const body = { temperature: 9 };
  const [one, other] = await Promise.all([ask(plain, body), ask(extended, body)]);
  expect(other.json).toEqual(one.json);
  expect((await ask(extended, { seed: 7, max_tokens: 9 })).status).toBe(200);
  expect(sent()).toMatchObject({ seed: 7, max_tokens: 9 });
});
