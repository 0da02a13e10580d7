import { beforeEach, describe, expect, it } from 'vitest';
import { type FakeUpstream, json } from '../../testing/fake-upstream.ts';
import { type NativeJobs, playJobs, playRecords } from '../../testing/native-jobs.ts';
import type { TaskEnds } from '../../testing/task-ends.ts';
import { jobsError, lost, useStartHarness } from '../../testing/tasks/start-bench.ts';

let ends: TaskEnds;
let first: FakeUpstream;
let second: FakeUpstream;
useStartHarness((harness) => {
  ({ ends, first, second } = harness);
});

describe('a job in the jobs dialect', () => {
  let native: NativeJobs;
  let other: NativeJobs;
  beforeEach(() => {
    native = playJobs(first);
    other = playJobs(second);
  });

  it('is started with its task id as its name, on a channel that is stored first', async () => {
    const task = await ends.submit('vidB2');
    expect(await ends.start(task)).toEqual({
      kind: 'started',
      channelId: 'jobs-a',
      nativeId: 'job_1',
      noted: ['jobs-a'],
    });
    expect(native.made).toMatchObject([
      { name: task.id, body: { model: 'native-b2', input: { seconds: 5 } } },
    ]);
    expect(first.seen[0]?.headers.authorization).toBe('Bearer key-a');
  });

  it.for([
    ['a limit', jobsError(429)],
    ['an overload', jobsError(503)],
    ['a fault of its own', jobsError(500)],
    ['a bad key', jobsError(401)],
    ['a model that is gone', jobsError(404)],
    ['an empty purse', jobsError(429, { code: 'insufficient_quota' })],
  ] as const)('that %s turns away is started elsewhere', async ([, reply]) => {
    first.fallback = reply;
    const task = await ends.submit('vidB2');
    expect(await ends.start(task)).toMatchObject({
      kind: 'started',
      channelId: 'jobs-b',
      noted: ['jobs-a', 'jobs-b'],
    });
    expect(other.made).toHaveLength(1);
  });

  it('is retried only on the same channel while its outcome is unclear', async () => {
    first.fallback = lost(native);
    const task = await ends.submit('vidB2');
    const step = await ends.start(task);
    expect(step).toMatchObject({
      kind: 'later',
      channelId: 'jobs-a',
      ending: { status: 'FAILED', error: { code: 'upstream_error', channel: 'jobs-a' } },
    });
    expect(second.seen).toHaveLength(0);
    // Even a certain rejection does not change that: the first attempt may have started the job.
    first.fallback = jobsError(503);
    expect(await ends.start(task)).toMatchObject({ kind: 'later', channelId: 'jobs-a' });
    expect(second.seen).toHaveLength(0);
  });

  it('is tried twice when the upstream hangs, then later, and finally times out', async () => {
    first.fallback = () => {};
    const task = await ends.submit('vidB2');
    const starting = ends.start(task);
    for (const calls of [1, 2]) {
      await first.waitFor(calls);
      await ends.gateway.clock.advance(31_000);
    }
    expect(await starting).toMatchObject({
      kind: 'later',
      channelId: 'jobs-a',
      ending: { status: 'FAILED', error: { code: 'upstream_timeout' } },
    });
    expect(first.seen.map(({ headers }) => headers['idempotency-key'])).toEqual([task.id, task.id]);
  });

  it('fails without an id if a second answer has none either (J3)', async () => {
    first.fallback = json(200, { status: 'queued' });
    expect(await ends.start(await ends.submit('vidB2'))).toMatchObject({
      kind: 'ended',
      ending: { status: 'FAILED', error: { code: 'upstream_error', channel: 'jobs-a', param: null } },
    });
    expect(first.seen).toHaveLength(2);
    playJobs(first);
    first.queue.push(json(200, { status: 'queued' }));
    expect(await ends.start(await ends.submit('vidB2'))).toMatchObject({ kind: 'started' });
  });

  it.for([
    [jobsError(400, { code: 'content_policy_violation' }), 'content_filter', null],
    [jobsError(400, { code: 'invalid_input', param: 'input.prompt_text' }), 'invalid_param', 'prompt'],
    [jobsError(422, { code: 'invalid_input' }), 'upstream_error', null],
    [jobsError(400, { code: 'context_length_exceeded' }), 'invalid_param', 'prompt'],
    [jobsError(413), 'invalid_param', 'prompt'],
  ] as const)('that is refused for what it asks has failed: %#', async ([reply, code, param]) => {
    first.fallback = reply;
    const step = await ends.start(await ends.submit('vidB2'));
    expect(step).toMatchObject({
      kind: 'ended',
      ending: { status: 'FAILED', error: { code, param, channel: 'jobs-a' } },
    });
    expect(JSON.stringify(step)).not.toContain('RAW');
    expect(first.seen).toHaveLength(1);
    expect(second.seen).toHaveLength(0);
  });

  it('fails if every channel rejects it for good', async () => {
    first.fallback = jobsError(403);
    second.fallback = jobsError(402);
    expect(await ends.start(await ends.submit('vidB2'))).toMatchObject({
      kind: 'ended',
      ending: { error: { code: 'upstream_error', channel: 'jobs-b' } },
    });
  });

  it('is started later, when the first busy upstream allows it', async () => {
    first.fallback = jobsError(429, {}, { 'retry-after': '17' });
    second.fallback = jobsError(429, {}, { 'retry-after': '90' });
    const task = await ends.submit('vidB2');
    expect(await ends.start(task)).toMatchObject({
      kind: 'later',
      channelId: null,
      afterMs: expect.closeTo(17_000, -3),
      ending: { error: { code: 'channel_queue_full', channel: 'jobs-b' } },
    });
    const calls = first.seen.length;
    const step = await ends.start(task);
    expect(step).toMatchObject({ kind: 'later', ending: { error: { code: 'channel_queue_full' } } });
    expect(step.kind === 'later' && step.afterMs).toBeGreaterThan(16_000);
    expect(first.seen).toHaveLength(calls);
    await ends.gateway.clock.advance(18_000);
    playJobs(first);
    expect(await ends.start(task)).toMatchObject({ kind: 'started', channelId: 'jobs-a' });
  });

  it('waits with channel_outage while every breaker is open', async () => {
    for (const upstream of [first, second]) upstream.fallback = jobsError(503);
    for (let n = 0; n < 5; n += 1) await ends.start(await ends.submit('vidB2'));
    expect(await ends.start(await ends.submit('vidB2'))).toMatchObject({
      kind: 'later',
      channelId: null,
      ending: { error: { code: 'channel_outage', channel: null } },
    });
  });

  it('is not sent before its channel is stored', async () => {
    const task = await ends.submit('vidB2');
    const refuse = () => Promise.reject(new Error('no database'));
    await expect(ends.work.start(task, refuse)).rejects.toThrow('no database');
    expect(first.seen).toHaveLength(0);
  });

  it('is not started where another process takes the task over while its job is looked up', async () => {
    const { made } = playRecords(first);
    const task = await ends.submit('voice-v3');
    ends.gateway.tasks.change(task.id, { channelId: 'songs-a' });
    let notes = 0;
    const lose = async (): Promise<void> => {
      notes += 1;
      if (notes > 1) throw new Error('taken over');
    };
    await expect(ends.work.start(ends.now(task), lose)).rejects.toThrow('taken over');
    expect([notes, made, first.asked.length]).toEqual([2, [], 1]);
  });

  it('fails if its channel is no longer in the configuration', async () => {
    const task = await ends.submit('vidB2');
    ends.gateway.tasks.change(task.id, { channelId: 'jobs-z' });
    expect(await ends.start(task)).toMatchObject({
      kind: 'ended',
      ending: { error: { code: 'upstream_error' } },
    });
  });
});
