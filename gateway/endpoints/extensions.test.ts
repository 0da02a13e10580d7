import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type FakeUpstream, startFakeUpstream } from '../testing/fake-upstream.ts';
import { startTestGateway, type TestGateway, testConfig, testKey } from '../testing/test-gateway.ts';
import { read } from '../testing/wire.ts';

let upstream: FakeUpstream;
let plain: TestGateway;
let extended: TestGateway;
beforeAll(async () => {
  upstream = await startFakeUpstream();
  const config = testConfig(upstream.url);
  plain = await startTestGateway(config);
  const extensions: typeof config.extensions = ['max_completion_tokens', 'developer_role', 'models_retrieve'];
  extended = await startTestGateway({ ...config, extensions });
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
  it('is an unknown field, unless it is switched on: then it is max_tokens', async () => {
    const body = { max_completion_tokens: 50 };
    const refused = { code: 'invalid_param', param: 'max_completion_tokens' };
    expect((await ask(plain, body)).json.error).toMatchObject(refused);
    const { status } = await ask(extended, body);
    expect([status, sent().max_tokens, sent().max_completion_tokens]).toEqual([200, 50, undefined]);
  });

  it('is refused beside max_tokens, and where max_tokens would be', async () => {
    const both = await ask(extended, { max_completion_tokens: 50, max_tokens: 50 });
    expect(both.json.error).toMatchObject({ code: 'invalid_param', param: 'max_completion_tokens' });
    expect((await ask(extended, { max_completion_tokens: 0 })).json.error.code).toBe('invalid_param');
  });
});

describe('the role developer', () => {
  it('is unknown, unless it is switched on: then it is that of the system', async () => {
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

  it('is not found where it is not in the list', async () => {
    const { status, json } = await show(extended, 'nothing');
    expect([status, json.error.code]).toEqual([404, 'model_not_found']);
  });
});

it('all else is as without them', async () => {
  const body = { temperature: 9 };
  const [one, other] = await Promise.all([ask(plain, body), ask(extended, body)]);
  expect(other.json).toEqual(one.json);
  expect((await ask(extended, { seed: 7, max_tokens: 9 })).status).toBe(200);
  expect(sent()).toMatchObject({ seed: 7, max_tokens: 9 });
});
