import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { cut, type FakeUpstream, json, startFakeUpstream } from '../../testing/fake-upstream.ts';
import { mediaClient } from '../../testing/media-client.ts';
import { type NativeJobs, playRecords } from '../../testing/native-jobs.ts';
import type { UpstreamClient } from '../client.ts';
import { callbackJobs } from './dialect.ts';

let upstream: FakeUpstream;
let client: UpstreamClient;
let native: NativeJobs;
beforeAll(async () => {
  upstream = await startFakeUpstream();
  client = mediaClient();
});
beforeEach(() => {
  upstream.seen.length = 0;
  upstream.queue.length = 0;
  upstream.answers.length = 0;
  upstream.asked.length = 0;
  native = playRecords(upstream);
});
afterAll(async () => {
  await client.close();
  await upstream.close();
});

const gone = new AbortController().signal;
const target = () => ({ baseUrl: `${upstream.url}/v1`, apiKey: 'upstream-key', gone });
const start = (key = 'task_1') =>
  callbackJobs.start(client, {
    ...target(),
    body: JSON.stringify({ reference: key }),
    key,
    fieldOf: () => null,
    largest: 'prompt',
    isFresh: true,
  });
const poll = (id = 'n1') => callbackJobs.poll(client, target(), id);
const find = (key: string) => callbackJobs.find?.(client, target(), key);
const coded = (code: unknown, more: object = {}) => json(200, { code, msg: 'RAW', data: null, ...more });

describe('a start', () => {
  it('is a job each time, which is found by its reference', async () => {
    expect(await start()).toEqual({ kind: 'started', nativeId: 'n1' });
    expect(await start('task_2')).toEqual({ kind: 'started', nativeId: 'n2' });
    expect(await find('task_2')).toEqual({ kind: 'started', nativeId: 'n2' });
    expect(await find('task_3')).toEqual({ kind: 'none' });
    expect(upstream.seen[0]).toMatchObject({
      path: '/v1/generate',
      headers: { authorization: 'Bearer upstream-key' },
    });
    expect(upstream.asked[0]?.path).toBe('/v1/record?reference=task_2');
  });

  it.for([
    [400, 'bad_request', null],
    [401, 'credentials', null],
    [404, 'bad_request', 'parent_task_id'],
    [413, 'policy', null],
    [429, 'busy', null],
    [455, 'busy', null],
    [500, 'server', null],
    [501, 'server', null],
    ['531', 'server', null],
  ] as const)(
    'that is refused by the code %s is certainly none (J1, J18, H21)',
    async ([code, reason, param]) => {
      upstream.queue.push(coded(code));
      expect(await start()).toMatchObject({ kind: 'failure', reason, param, isUnclear: false });
    },
  );

  it.for([
    ['a cut', cut, 'connection'],
    ['success without an id (J3)', coded(200, { data: {} }), 'unusable'],
    ['success without data (J3)', coded(200), 'unusable'],
    ['no code', json(200, {}), 'unusable'],
    ['no JSON', json(200, 'ok'), 'unusable'],
    ['a page', json(504, '<html>'), 'server'],
  ] as const)('that is answered with %s may be a job', async ([, reply, reason]) => {
    upstream.queue.push(reply);
    expect(await start()).toMatchObject({ kind: 'failure', reason, isUnclear: true });
  });

  it('that is refused by its status is judged by that', async () => {
    upstream.queue.push(json(429, { error: { message: 'RAW' } }, { 'retry-after': '5' }));
    expect(await start()).toMatchObject({ reason: 'busy', retryAfterMs: 5000, isUnclear: false });
    upstream.queue.push(json(400, { error: { code: 'content_policy_violation' } }));
    expect(await start()).toMatchObject({ reason: 'policy', isUnclear: false });
  });
});

describe('a look', () => {
  beforeEach(() => start());

  it.for([
    ['PENDING', 'waiting'],
    ['TEXT_SUCCESS', 'running'],
    ['FIRST_SUCCESS', 'running'],
    ['never heard of', 'running'],
    ['SUCCESS', 'done'],
    ['succeeded', 'done'],
    ['CREATE_TASK_FAILED', 'failed'],
    ['GENERATE_FAILED', 'failed'],
    ['SENSITIVE_WORD_ERROR', 'failed'],
  ])('reads %s as %s (J5, J14)', async ([status, kind]) => {
    native.record = { status, results: [{ url: 'https://files.example.com/a.mp3' }] };
    expect(await poll()).toMatchObject({ kind: 'state', state: { kind } });
  });

  it('finds what was made, and only what can be fetched (J7)', async () => {
    const url = 'https://files.example.com/a.mp3';
    native.record = {
      status: 'SUCCESS',
      results: [{ url, kind: 'audio', durationSec: 60 }, { kind: 'audio' }],
    };
    expect(await poll()).toMatchObject({ state: { outputs: [{ url, durationSec: 60 }] } });
  });

  it.for([
    [{ status: 'GENERATE_FAILED', errorCode: 400 }, 'bad_input'],
    [
      { status: 'CREATE_TASK_FAILED', errorCode: 404, errorMessage: 'parent record not found' },
      'parent_gone',
    ],
    [{ status: 'GENERATE_FAILED', errorCode: 413 }, 'policy'],
    [{ status: 'SENSITIVE_WORD_ERROR', errorCode: null }, 'policy'],
    [{ status: 'GENERATE_FAILED', errorMessage: 'output may contain sensitive information.' }, 'policy'],
    [{ status: 'GENERATE_FAILED', errorCode: 500 }, 'other'],
    [{ status: 'GENERATE_FAILED' }, 'other'],
  ] as const)('tells by %j why a job failed: %s (J8, J11, J18)', async ([record, reason]) => {
    native.record = record;
    expect(await poll()).toMatchObject({ state: { kind: 'failed', reason } });
  });

  it('may find no job, or nothing of use (J12, J13)', async () => {
    expect(await poll('n9')).toEqual({ kind: 'gone' });
    upstream.answers.push(
      json(404, ''),
      coded(500),
      json(503, { error: {} }, { 'retry-after': '2' }),
      coded(200),
      coded(200, { data: { taskId: 'n1' } }),
    );
    expect(await poll()).toEqual({ kind: 'gone' });
    expect(await poll()).toMatchObject({ kind: 'failure', reason: 'server' });
    expect(await poll()).toMatchObject({ kind: 'failure', reason: 'busy', retryAfterMs: 2000 });
    expect(await poll()).toMatchObject({ kind: 'failure', reason: 'unusable' });
    expect(await poll()).toMatchObject({ kind: 'failure', reason: 'unusable' });
  });
});
