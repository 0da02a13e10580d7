import { expect, it } from 'vitest';
import { completion, type FakeUpstream } from '../testing/fake-upstream.ts';
import {
  hookToken,
  startTestGateway,
  type TestGateway,
  testConfig,
  testKey,
} from '../testing/test-gateway.ts';
import { twoEndsOfFile } from '../testing/two-ends.ts';
import { type Answer, read } from '../testing/wire.ts';

let upstream: FakeUpstream;
let gateway: TestGateway;
twoEndsOfFile(startTestGateway, { test: { usage: true, token: hookToken } }, (ends) => {
  ({ upstream, gateway } = ends);
});

const usage = (query: string, key = hookToken): Promise<Answer> =>
  read(`${gateway.url}/hooks/usage${query}`, { key });
const chat = (more: object = {}): Promise<Answer> =>
  gateway.chat({ model: 'delta-3', messages: [{ role: 'user', content: 'hi' }], ...more });

it('shows everything that a request is billed by as soon as it is answered', async () => {
  upstream.fallback = completion('Hello');
  const answer = await chat();
  const { records } = (await usage(`?request_id=${answer.headers['x-request-id']}`)).json;
  expect(records).toEqual([
    {
      request_id: answer.headers['x-request-id'],
      app_id: gateway.records[0]?.app_id,
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
      usage_doubts: [],
      units: 0,
      unit: null,
      task_id: null,
      parents: [],
      charge: '0',
      end_user: null,
      metadata: null,
    },
  ]);
});

it('finds records by label and metadata, newest first', async () => {
  upstream.fallback = completion('Hello');
  const red = await chat({ user: 'ann & co', metadata: { team: 'red', job: '1' } });
  const blue = await chat({ user: 'ann & co', metadata: { team: 'blue', job: '1' } });
  const ids = async (query: string): Promise<string[]> =>
    (await usage(query)).json.records.map((record: { request_id: string }) => record.request_id);
  const [redId, blueId] = [red.headers['x-request-id'], blue.headers['x-request-id']];
  expect(await ids('?end_user=ann+%26%20co')).toEqual([blueId, redId]);
  expect(await ids('?metadata.job=1')).toEqual([blueId, redId]);
  expect(await ids('?metadata.job=1&metadata.team=red&end_user=ann+%26+co')).toEqual([redId]);
  expect(await ids(`?request_id=${redId}&metadata.team=blue`)).toEqual([]);
  expect((await usage('?metadata.team=red')).json.records).toMatchObject([
    { end_user: 'ann & co', metadata: { team: 'red', job: '1' } },
  ]);
});

it('shows a hundred records at most', async () => {
  const [record] = gateway.records;
  const known = gateway.records.length;
  if (record === undefined) throw new Error('a test before this one made a record');
  for (let i = 0; i < 101; i += 1) {
    gateway.records.push({ ...record, request_id: `many-${i}`, end_user: 'many', charge_pico: 1_250_000n });
  }
  const { records } = (await usage('?end_user=many')).json;
  expect(records).toHaveLength(100);
  expect(records[0]).toMatchObject({ request_id: 'many-100', charge: '0.00000125' });
  gateway.records.length = known;
});

it.for(['?end_user=a&end_user=b', '?metadata.k=a&metadata.k=b'])('rejects the query %j', async (query) => {
  const param = query.slice(1).split('=', 1)[0];
  expect(await usage(query)).toMatchObject({
    status: 400,
    json: { error: { code: 'invalid_param', param } },
  });
});

it('shows no record for an unknown request', async () => {
  expect(await usage('?request_id=req_none')).toMatchObject({ status: 200, json: { records: [] } });
});

it.for(['', '?', '?request_id', '?request_id=', '?id=req_1', '?request_id=a&request_id=b'])(
  'rejects the query %j',
  async (query) => {
    expect(await usage(query)).toMatchObject({
      status: 400,
      json: { error: { code: 'invalid_param', param: 'request_id' } },
    });
  },
);

it('requires the hook token and allows only GET', async () => {
  expect((await usage('?request_id=a', testKey)).json.error.code).toBe('invalid_api_key');
  const posted = await read(`${gateway.url}/hooks/usage?request_id=a`, { method: 'POST', key: hookToken });
  expect(posted).toMatchObject({ status: 405, headers: { allow: 'GET' } });
});

it('does not exist unless the configuration enables it', async () => {
  const config = testConfig(upstream.url, { test: { store: true, clock: true, token: hookToken } });
  const plain = await startTestGateway(config);
  expect((await read(`${plain.url}/hooks/usage?request_id=a`, { key: hookToken })).status).toBe(404);
  await plain.close();
});
