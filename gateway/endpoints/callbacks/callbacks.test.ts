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
  it('is taken from whoever signs with the key of the channel, and is a report on a job', async () => {
    const { status, json } = await send({ body: report('n7', 'text') });
    expect([status, json]).toEqual([200, received]);
    expect((await send({ body: report(41) })).status).toBe(200);
    expect((await send({ channel: 'other', apiKey: 'other-secret' })).status).toBe(200);
    expect(gateway.tasks.notified).toEqual(['studio n7', 'studio 41', 'other n1']);
  });

  it('is taken once, however often and however close together it comes (W1)', async () => {
    const again = { id: 'cb_again' };
    const answers = await Promise.all(Array.from({ length: 10 }, () => send(again)));
    answers.push(await send({ ...again, aheadS: 1 }));
    expect(answers.map(({ status, json }) => [status, json])).toEqual(answers.map(() => [200, received]));
    expect(gateway.tasks.notified).toEqual(['studio n1']);
    expect((await send({ ...again, channel: 'other', apiKey: 'other-secret' })).status).toBe(200);
    expect(gateway.tasks.notified).toEqual(['studio n1', 'other n1']);
  });

  it('may come again that could not be taken', async () => {
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

  // The clock goes on while it is on its way: what is ahead comes nearer.
  it.for([-301, -3600, 302, 600])('from %i s away is a repeated one (W6)', async (aheadS) => {
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

  it('may say what nobody knows: only the job counts (W7)', async () => {
    const body = { code: 'odd', data: { callbackType: 'colour', taskId: 'n1', results: 7, more: {} } };
    expect((await send({ body })).status).toBe(200);
    expect(gateway.tasks.notified).toEqual(['studio n1']);
  });
});

it.for(['silent', 'nowhere', 'Studio', 'studio/', ''])(
  'knows no upstream at /callbacks/%s',
  async (channel) => {
    expect(refusal(await send({ channel }))).toEqual([404, 'not_found', null]);
  },
);

it('is asked in one way only', async () => {
  for (const method of ['GET', 'PUT', 'DELETE'] as const) {
    const { status, headers } = await read(`${gateway.url}/callbacks/studio`, { method });
    expect([status, headers.allow]).toEqual([405, 'POST']);
  }
});

it('takes no slot of anybody, no key, and no key for a signature', async () => {
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

it('waits for slow ones no longer than for anybody', async () => {
  const head = `POST /callbacks/studio HTTP/1.1\r\nhost: x\r\ncontent-length: 9\r\ncallback-id: a\r\ncallback-timestamp: 1\r\ncallback-signature: v1=${'0'.repeat(64)}\r\n\r\n`;
  expect(await rawExchange(gateway.port, head, 2_000)).toContain('"request_timeout"');
});

it('says in the log which channel got a report that is not true, under one label, and not a word of it', async () => {
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
