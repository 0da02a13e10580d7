import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { report, type SentCallback, sendCallback } from '../../testing/callback-sender.ts';
import { startTestGateway, type TestGateway, testConfig, testKey } from '../../testing/test-gateway.ts';
import { type Answer, rawExchange, read } from '../../testing/wire.ts';

const received = { received: true };

let gateway: TestGateway;
beforeAll(async () => {
  const channel = (id: string, more: object): object => ({
    id,
    dialect: 'callback-jobs',
    base_url: 'http://127.0.0.1:9/v1',
    api_key: 'upstream-secret',
    models: { 'song-v5': 'native' },
    ...more,
  });
  const channels = [
    channel('studio', { callbacks: true }),
    channel('other', { callbacks: true, api_key: 'other-secret' }),
    channel('silent', {}),
  ];
  gateway = await startTestGateway(testConfig('', { channels, limits: { body_timeout_ms: 200 } }));
});
beforeEach(() => {
  gateway.tasks.notified.length = 0;
  gateway.logLines.length = 0;
});
afterAll(() => gateway.close());

const send = (callback?: SentCallback): Promise<Answer> =>
  sendCallback(gateway.url, () => gateway.clock.now(), callback);
const refusal = ({ status, json }: Answer): unknown[] => [status, json.error.code, json.error.param];

describe('a callback', () => {
  it('is accepted with the signature of the channel key, and reports a job', async () => {
    const { status, json } = await send({ body: report('n7', 'text') });
    expect([status, json]).toEqual([200, received]);
    expect((await send({ body: report(41) })).status).toBe(200);
    expect((await send({ channel: 'other', apiKey: 'other-secret' })).status).toBe(200);
    expect(gateway.tasks.notified).toEqual(['studio n7', 'studio 41', 'other n1']);
  });

  it('is processed once, however often and closely it is repeated (W1)', async () => {
    const again = { id: 'cb_again' };
    const answers = await Promise.all(Array.from({ length: 10 }, () => send(again)));
    answers.push(await send({ ...again, aheadS: 1 }));
    expect(answers.map(({ status, json }) => [status, json])).toEqual(answers.map(() => [200, received]));
    expect(gateway.tasks.notified).toEqual(['studio n1']);
    expect((await send({ ...again, channel: 'other', apiKey: 'other-secret' })).status).toBe(200);
    expect(gateway.tasks.notified).toEqual(['studio n1', 'other n1']);
  });

  it('can be repeated after a failure', async () => {
    gateway.tasks.onNotify = () => Promise.reject(new Error('no'));
    expect((await send({ id: 'cb_late' })).status).toBe(500);
    gateway.tasks.onNotify = async () => {};
    expect((await send({ id: 'cb_late' })).status).toBe(200);
    expect(gateway.tasks.notified).toEqual(['studio n1', 'studio n1']);
  });

  it.for<[string, SentCallback]>([
    ['no signature', { headers: { 'callback-signature': '' } }],
    ['no id', { headers: { 'callback-id': '' } }],
    ['no time', { headers: { 'callback-timestamp': '' } }],
    ['the key of another channel', { apiKey: 'other-secret' }],
    ['the signature of another id', { headers: { 'callback-id': 'cb_other' } }],
    ['the key of the channel as a bearer', { headers: { 'callback-signature': 'upstream-secret' } }],
    ['the signature of another body', { signed: report('n2') }],
    ['another key, from long ago', { apiKey: 'x', aheadS: -4000 }],
  ])('with %s is nobody’s (W5)', async ([, callback]) => {
    expect(refusal(await send(callback))).toEqual([401, 'invalid_api_key', null]);
    expect(gateway.tasks.notified).toEqual([]);
  });

  // The clock runs while the callback is sent, so a time ahead comes closer.
  it.for([-301, -3600, 302, 600])('from %i s away is rejected as a replay (W6)', async (aheadS) => {
    const answer = await send({ aheadS });
    expect(refusal(answer)).toEqual([400, 'webhook_replay', null]);
    expect(answer.json.error.type).toBe('invalid_request_error');
    expect(gateway.tasks.notified).toEqual([]);
  });

  it.for([-299, 299, 300])('from %i s away is a fresh one', async (aheadS) => {
    expect((await send({ aheadS })).status).toBe(200);
  });

  it.for<[string, SentCallback, number, string, string | null]>([
    ['no JSON', { body: '{"data":' }, 400, 'invalid_param', null],
    ['no object', { body: '[]' }, 400, 'invalid_param', null],
    ['another type', { headers: { 'content-type': 'text/plain' } }, 400, 'invalid_param', null],
    ['nothing that it is about', { body: { code: 200 } }, 400, 'invalid_param', 'data'],
    ['no job', { body: { data: {} } }, 400, 'invalid_param', 'data.taskId'],
    ['an odd job', { body: report({}) }, 400, 'invalid_param', 'data.taskId'],
    ['an endless job', { body: report('x'.repeat(513)) }, 400, 'invalid_param', 'data.taskId'],
    ['far too much to say', { body: ' '.repeat(256 * 1024 + 1) }, 413, 'payload_too_large', null],
  ])('with %s is refused (W7)', async ([, callback, ...expected]) => {
    expect(refusal(await send(callback))).toEqual(expected);
    expect(gateway.tasks.notified).toEqual([]);
  });

  it('may have unknown content, because only the job id counts (W7)', async () => {
    const body = { code: 'odd', data: { callbackType: 'colour', taskId: 'n1', results: 7, more: {} } };
    expect((await send({ body })).status).toBe(200);
    expect(gateway.tasks.notified).toEqual(['studio n1']);
  });
});

it.for(['silent', 'nowhere', 'Studio', 'studio/', ''])(
  'rejects callbacks to /callbacks/%s',
  async (channel) => {
    expect(refusal(await send({ channel }))).toEqual([404, 'not_found', null]);
  },
);

it('accepts only POST', async () => {
  for (const method of ['GET', 'PUT', 'DELETE'] as const) {
    const { status, headers } = await read(`${gateway.url}/callbacks/studio`, { method });
    expect([status, headers.allow]).toEqual([405, 'POST']);
  }
});

it('takes no slot and needs no key, and accepts no key instead of a signature', async () => {
  const { slots } = gateway.app;
  slots.take = () => Promise.reject(new Error('a slot was taken'));
  expect((await send()).status).toBe(200);
  const sent = await read(`${gateway.url}/callbacks/studio`, {
    method: 'POST',
    key: testKey,
    body: report('n1'),
  });
  expect(refusal(sent)).toEqual([401, 'invalid_api_key', null]);
});

it('limits how long a slow callback may take', async () => {
  const head = `POST /callbacks/studio HTTP/1.1\r\nhost: x\r\ncontent-length: 9\r\ncallback-id: a\r\ncallback-timestamp: 1\r\ncallback-signature: v1=${'0'.repeat(64)}\r\n\r\n`;
  expect(await rawExchange(gateway.port, head, 2_000)).toContain('"request_timeout"');
});

it('logs the channel of a rejected callback under one route, and none of its content', async () => {
  const body = { data: { taskId: 'a-forged-job' } };
  await send({ body, apiKey: 'a-guessed-key', id: 'cb_forged' });
  await send({ body, aheadS: -301, id: 'cb_stale' });
  await send({ body, id: 'cb_good' });
  const lines = gateway.logLines.map(({ route, status, code, cause }) => [route, status, code, cause]);
  const route = '/callbacks/:channel';
  expect(lines).toEqual([
    [route, 401, 'invalid_api_key', { channel: 'studio' }],
    [route, 400, 'webhook_replay', { channel: 'studio' }],
    [route, 200, 'ok', undefined],
  ]);
  expect(JSON.stringify(gateway.logLines)).not.toMatch(/a-forged-job|a-guessed-key|cb_|upstream-secret|v1=/);
});
