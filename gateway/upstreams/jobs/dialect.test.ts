import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { cut, type FakeUpstream, hang, json, startFakeUpstream } from '../../testing/fake-upstream.ts';
import { mediaClient } from '../../testing/media-client.ts';
import { type NativeJobs, playJobs } from '../../testing/native-jobs.ts';
import type { UpstreamClient } from '../client.ts';
import { jobs } from './dialect.ts';

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
  native = playJobs(upstream);
});
afterAll(async () => {
  await client.close();
  await upstream.close();
});

const gone = new AbortController().signal;
const fieldOf = (path: unknown): string | null => (path === 'input.seconds' ? 'duration' : null);
const target = () => ({ baseUrl: `${upstream.url}/v1`, apiKey: 'upstream-key', gone });
const start = (key = 'task_1', isFresh = false) =>
  jobs.start(client, {
    ...target(),
    body: '{"model":"m","input":{}}',
    key,
    fieldOf,
    largest: 'prompt',
    isFresh,
  });
const poll = (id = 'job_1') => jobs.poll(client, target(), id);
const error = (fields: object) => ({ error: { message: 'RAW', param: null, code: null, ...fields } });

describe('a start', () => {
  it('is one job for a key, however often it is sent', async () => {
    expect(await start()).toEqual({ kind: 'started', nativeId: 'job_1' });
    expect(await start()).toEqual({ kind: 'started', nativeId: 'job_1' });
    expect(await start('task_2')).toEqual({ kind: 'started', nativeId: 'job_2' });
    expect(upstream.seen[0]).toMatchObject({
      path: '/v1/jobs',
      headers: { authorization: 'Bearer upstream-key', 'idempotency-key': 'task_1' },
      body: { model: 'm', input: {} },
    });
  });

  it.for([
    ['a limit', json(429, error({ code: 'rate_limit_exceeded' }), { 'retry-after': '7' }), 'busy', 7000],
    ['an overload', json(503, error({})), 'busy', null],
    ['an empty purse', json(429, error({ code: 'insufficient_quota' })), 'exhausted', null],
    ['a fault of its own', json(500, error({ type: 'server_error' })), 'server', null],
    ['a bad key', json(401, error({})), 'credentials', null],
    ['a policy', json(400, error({ code: 'content_policy_violation' })), 'policy', null],
    ['a bad request', json(400, error({ code: 'invalid_input' })), 'bad_request', null],
    ['an unknown model', json(404, error({ code: 'model_not_found' })), 'unusable', null],
    ['an error in a 200', json(200, error({ code: 'rate_limit_exceeded' })), 'busy', null],
    ['a code in a 200', json(200, { code: 531, msg: 'RAW' }), 'server', null],
  ] as const)('that is refused by %s is certainly none', async ([, reply, reason, retryAfterMs]) => {
    upstream.queue.push(reply);
    expect(await start()).toMatchObject({ kind: 'failure', reason, retryAfterMs, isUnclear: false });
  });

  it('names the refused field in our words', async () => {
    upstream.queue.push(json(400, error({ param: 'input.seconds' })), json(413, error({})));
    expect(await start()).toMatchObject({ reason: 'bad_request', param: 'duration' });
    expect(await start()).toMatchObject({ reason: 'bad_request', param: 'prompt' });
  });

  it.for([
    ['a cut', cut, 'connection'],
    ['a page of a proxy', json(502, '<html>RAW</html>', { 'content-type': 'text/html' }), 'server'],
    ['a status without words', json(503, ''), 'busy'],
    ['a wait that was too long for somebody', json(408, error({})), 'timeout'],
    ['no id', json(200, { status: 'queued' }), 'unusable'],
    ['no JSON', json(201, '{"id":'), 'unusable'],
    ['another job of this key', json(409, error({ code: 'idempotency_conflict' })), 'unusable'],
  ] as const)('that is answered with %s may be a job', async ([, reply, reason]) => {
    upstream.queue.push(reply);
    expect(await start('task_x', true)).toMatchObject({ kind: 'failure', reason, isUnclear: true });
  });

  it('that is never answered may be a job', async () => {
    upstream.queue.push(hang);
    const impatient = mediaClient(50);
    const call = { ...target(), body: '{}', key: 'k', fieldOf, largest: 'prompt' };
    expect(await jobs.start(impatient, call)).toMatchObject({ reason: 'timeout', isUnclear: true });
    await impatient.close();
  });

  it('that never went out is certainly none', async () => {
    const call = {
      ...target(),
      baseUrl: 'http://127.0.0.1:1/v1',
      body: '{}',
      key: 'k',
      fieldOf,
      largest: 'prompt',
    };
    expect(await jobs.start(client, call)).toMatchObject({ reason: 'connection', isUnclear: false });
  });
});

describe('a look', () => {
  beforeEach(() => start());

  it.for([
    ['queued', 'waiting'],
    ['in_progress', 'running'],
    ['PROCESSING', 'running'],
    ['THROTTLED', 'running'],
    ['never heard of', 'running'],
    ['completed', 'done'],
    ['SUCCEED', 'done'],
    ['Succeeded', 'done'],
    ['failed', 'failed'],
    ['CANCELED', 'failed'],
    ['EXPIRED', 'failed'],
  ])('reads %s as %s (J5)', async ([status, kind]) => {
    native.record = { status };
    expect(await poll()).toMatchObject({ kind: 'state', state: { kind }, askAgainMs: null });
  });

  it('finds what was made, and only what can be fetched (J7)', async () => {
    const url = 'https://files.example.com/a.mp4?signature=1';
    native.record = {
      status: 'completed',
      output: [{ url, type: 'video', duration_seconds: 4.6 }, { type: 'video' }, { url: 'ftp://x/y' }, url],
    };
    expect(await poll()).toMatchObject({
      state: {
        outputs: [
          { url, durationSec: 5 },
          { url, durationSec: null },
        ],
      },
    });
    native.record = { status: 'completed', output: null };
    expect(await poll()).toMatchObject({ state: { kind: 'done', outputs: [] } });
  });

  it.for([
    [{ code: 'content_policy_violation' }, 'policy'],
    [{ code: 'invalid_input', message: 'RAW' }, 'bad_input'],
    [
      { code: 'internal_error', message: 'output may contain sensitive information. Request id: 1' },
      'policy',
    ],
    [{ code: 'internal_error' }, 'other'],
    [null, 'other'],
    ['RAW', 'other'],
  ] as const)('tells by %j that a job failed for the reason %s (J8, J11)', async ([failed, reason]) => {
    native.record = { status: 'failed', error: failed };
    expect(await poll()).toMatchObject({ state: { kind: 'failed', reason } });
  });

  it('says how long the upstream wants to be left alone', async () => {
    upstream.answers.push(
      json(200, { id: 'job_1', status: 'queued' }, { 'retry-after': '3' }),
      json(429, error({}), { 'retry-after': '4' }),
    );
    expect(await poll()).toMatchObject({ askAgainMs: 3000 });
    expect(await poll()).toMatchObject({ kind: 'failure', reason: 'busy', retryAfterMs: 4000 });
  });

  it('may find no job, or nothing of use (J12, J13)', async () => {
    expect(await poll('job_9')).toEqual({ kind: 'gone' });
    upstream.answers.push(json(500, error({})), json(200, '{'), json(200, {}), cut, cut);
    const reasons = [];
    for (let i = 0; i < 4; i += 1) reasons.push(await poll());
    expect(reasons).toMatchObject(
      ['server', 'unusable', 'unusable', 'connection'].map((reason) => ({ kind: 'failure', reason })),
    );
  });
});
