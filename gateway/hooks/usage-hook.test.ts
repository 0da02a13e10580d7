import { afterAll, beforeAll, expect, it } from 'vitest';
import { completion, type FakeUpstream, startFakeUpstream } from '../testing/fake-upstream.ts';
import { HOOK_TOKEN, KEY, startTestGateway, type TestGateway, testConfig } from '../testing/test-gateway.ts';
import { type Answer, read } from '../testing/wire.ts';

let upstream: FakeUpstream;
let gateway: TestGateway;
beforeAll(async () => {
  upstream = await startFakeUpstream();
  gateway = await startTestGateway(testConfig(upstream.url, { test: { usage: true, token: HOOK_TOKEN } }));
});
afterAll(async () => {
  await gateway.close();
  await upstream.close();
});

const usage = (query: string, key = HOOK_TOKEN): Promise<Answer> =>
  read(`${gateway.url}/hooks/usage${query}`, { key });
const chat = (): Promise<Answer> =>
  gateway.chat({ model: 'delta-3', messages: [{ role: 'user', content: 'hi' }] });

it('shows what a request is billed by once its answer is there', async () => {
  upstream.fallback = completion('Hello');
  const answer = await chat();
  const { records } = (await usage(`?request_id=${answer.headers['x-request-id']}`)).json;
  expect(records).toEqual([
    {
      request_id: answer.headers['x-request-id'],
      model_requested: 'delta-3',
      model_served: 'delta-3',
      channel_id: 'ch-1',
      outcome: 'success',
      stream: false,
      attempts: 1,
      prompt_tokens: answer.json.usage.prompt_tokens,
      completion_tokens: answer.json.usage.completion_tokens,
      cached_tokens: answer.json.usage.prompt_tokens_details.cached_tokens,
      cache_write_5m_tokens: 0,
      cache_write_1h_tokens: 0,
      usage_known: true,
    },
  ]);
});

it('has no record of a request that is not known', async () => {
  expect(await usage('?request_id=req_none')).toMatchObject({ status: 200, json: { records: [] } });
});

it.for(['', '?', '?request_id', '?request_id=', '?id=req_1', '?request_id=a&request_id=b'])(
  'refuses the query %j',
  async (query) => {
    expect(await usage(query)).toMatchObject({
      status: 400,
      json: { error: { code: 'invalid_param', param: 'request_id' } },
    });
  },
);

it('is for its own token and for reading only', async () => {
  expect((await usage('?request_id=a', KEY)).json.error.code).toBe('invalid_api_key');
  const posted = await read(`${gateway.url}/hooks/usage?request_id=a`, { method: 'POST', key: HOOK_TOKEN });
  expect(posted).toMatchObject({ status: 405, headers: { allow: 'GET' } });
});

it('does not exist on a gateway whose configuration does not open it', async () => {
  const config = testConfig(upstream.url, { test: { store: true, clock: true, token: HOOK_TOKEN } });
  const plain = await startTestGateway(config);
  expect((await read(`${plain.url}/hooks/usage?request_id=a`, { key: HOOK_TOKEN })).status).toBe(404);
  await plain.close();
});
