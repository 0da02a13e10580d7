import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { type FakeUpstream, hang, json, type Reply } from '../../testing/fake-upstream.ts';
import { type NativeJobs, playJobs, playRecords } from '../../testing/native-jobs.ts';
import { file, mp3, mp4, pngOf } from '../../testing/native-media.ts';
import { startTaskEnds, type TaskEnds } from '../../testing/task-ends.ts';
import type { Task } from './task.ts';

let ends: TaskEnds;
let upstream: FakeUpstream;
let native: NativeJobs;
beforeAll(async () => {
  ends = await startTaskEnds(1);
  const [one] = ends.upstreams;
  if (one === undefined) throw new Error('no upstream');
  upstream = one;
});
beforeEach(() => {
  for (const list of [upstream.seen, upstream.asked, upstream.queue, upstream.answers]) list.length = 0;
  ends.gateway.records.length = 0;
});
afterAll(() => ends.close());

const started = async (model: string, changes: object = {}): Promise<Task> => {
  if (upstream.asked.length + upstream.seen.length === 0)
    native = /^(?:journey|song|voice)/.test(model) ? playRecords(upstream) : playJobs(upstream);
  const task = await ends.submit(model, changes);
  const step = await ends.start(task);
  if (step.kind !== 'started') throw new Error(`it is ${step.kind}`);
  return task;
};
/** Serves a file and returns its link. */
const served = (name: string, reply: Reply): { readonly url: string } => {
  native.files.set(name, reply);
  return { url: `${upstream.url}/files/${name}` };
};
const error = (status: number, headers = {}): Reply => json(status, { error: { message: 'RAW' } }, headers);
const isKept = (name: string): boolean => ends.gateway.files.kept.has(name);
const failedEnding = {
  kind: 'ended',
  ending: { status: 'FAILED', error: { code: 'upstream_error', channel: 'jobs-a' } },
};

const filtered = { kind: 'ended', ending: { status: 'FAILED', error: { code: 'content_filter' } } };

describe('a poll of a job', () => {
  it('waits as long as the upstream requests, within limits (J12)', async () => {
    const task = await started('vidB2');
    upstream.answers.push(
      json(200, { id: 'job_1', status: 'queued' }, { 'retry-after': '7' }),
      json(200, { id: 'job_1', status: 'queued' }, { 'retry-after': '700' }),
      error(429, { 'retry-after': '5' }),
    );
    expect(await ends.check(task)).toMatchObject({ kind: 'running', afterMs: 7000 });
    expect(await ends.check(task)).toMatchObject({ kind: 'running', afterMs: 60_000 });
    expect(await ends.check(task)).toMatchObject({ kind: 'unclear', afterMs: 5000 });
  });

  it('is unclear without an answer', async () => {
    const task = await started('vidB2');
    upstream.answer = hang;
    const looking = ends.check(task);
    await vi.waitUntil(() => upstream.asked.length > 0, { interval: 5 });
    await ends.gateway.clock.advance(31_000);
    expect(await looking).toMatchObject({ kind: 'unclear', ending: failedEnding.ending });
  });

  it.for<[what: string, answer: Reply, step: object]>([
    ['202 without a body', (response) => void response.writeHead(202).end(), { kind: 'running' }],
    ['ids alone', json(200, { request_id: 'b53c', id: 'task_x' }), { kind: 'running' }],
    [
      'a state within the output',
      json(200, { request_id: 'r', output: { task_id: 't', task_status: 'RUNNING' } }),
      { kind: 'running' },
    ],
    ['a state within the task', json(200, { task: { id: '4', status: 'running' } }), { kind: 'running' }],
    [
      'a filter within the output',
      json(200, { output: { task_status: 'FAILED', code: 'DataInspectionFailed', message: 'x' } }),
      filtered,
    ],
    [
      'a filter as a refusal',
      json(400, {
        code: 'imagine:content-moderated',
        error: 'Generated video rejected by content moderation.',
      }),
      filtered,
    ],
    [
      'a filter without a video',
      json(200, { status: 'done', respect_moderation: false, video: null }),
      filtered,
    ],
    ['a refusal of the poll', json(400, { error: { message: 'bad id' } }), { kind: 'unclear' }],
    ['an answer without a job', json(200, { output: null }), { kind: 'unclear' }],
  ])('understands %s', async ([, answer, step]) => {
    const task = await started('vidB2');
    upstream.answers.push(answer);
    expect(await ends.check(task)).toMatchObject(step);
  });

  it('stores the output before it reports success, with the length that the upstream reports (J15)', async () => {
    const task = await started('vidB2', { duration: 10 });
    const output = { ...served('a.mp4', file(mp4, 'video/mp4')), type: 'video', duration_seconds: 5 };
    native.record = { status: 'completed', output: [output] };
    const step = await ends.check(task);
    expect(step).toMatchObject({ kind: 'ended', ending: { status: 'SUCCESS', durationSec: 5 } });
    const [made] = step.kind === 'ended' && step.ending.status === 'SUCCESS' ? step.ending.results : [];
    expect(made?.file).toMatch(/^[\w-]{22,}\.mp4$/);
    expect(isKept(made?.file ?? '')).toBe(true);
    await ends.work.forget(ends.now(task));
    expect(isKept(made?.file ?? '')).toBe(false);
  });

  it('takes the length from the file if the upstream reports none', async () => {
    const task = await started('vidB2');
    native.record = { status: 'completed', output: [served('a.mp4', file(mp4))] };
    const step = await ends.check(task);
    expect(step.kind === 'ended' && step.ending.status === 'SUCCESS' && step.ending.durationSec).toBe(1);
  });

  it.for([
    [{ code: 'content_policy_violation' }, 'content_filter'],
    [
      { code: 'internal_error', message: 'output may contain sensitive information. Request id: 1' },
      'content_filter',
    ],
    [{ code: 'invalid_input', message: 'RAW' }, 'invalid_param'],
    [{ code: 'internal_error', message: 'RAW' }, 'upstream_error'],
    [null, 'upstream_error'],
  ] as const)('maps the upstream error %j to %s (J8, J11)', async ([failed, code]) => {
    const task = await started('vidB2');
    native.record = { status: 'failed', error: failed };
    const step = await ends.check(task);
    expect(step).toMatchObject({
      kind: 'ended',
      ending: { status: 'FAILED', error: { code, channel: 'jobs-a', param: null } },
    });
    expect(JSON.stringify(step)).not.toMatch(/RAW|Request id/);
  });
});

describe('a poll of a record', () => {
  const grid = (count: number) =>
    Array.from({ length: count }, (_, i) => served(`${i}.png`, file(pngOf(8, 8), 'image/png')));

  it('keeps no image of a grid if one cannot be fetched', async () => {
    const task = await started('journey-v7');
    native.record = { status: 'SUCCESS', results: [...grid(3), served('x.png', error(404))] };
    const before = ends.gateway.files.kept.size;
    expect(await ends.check(task)).toMatchObject({ kind: 'unclear' });
    expect(ends.gateway.files.kept.size).toBe(before);
  });

  it('fetches songs, texts, images and videos as the action requires', async () => {
    const song = await started('song-v5');
    native.record = { status: 'SUCCESS', results: [{ ...served('a.mp3', file(mp3)), durationSec: 61 }] };
    expect(await ends.check(song)).toMatchObject({ ending: { status: 'SUCCESS', durationSec: 61 } });
    const wanted = [
      ['lyrics', 'a.lrc', Buffer.from('[00:01.00] a quiet sea\n'), 'lrc', null],
      ['cover-img', 'a.png', pngOf(8, 8), 'png', null],
      ['mv', 'a.mp4', mp4, 'mp4', 1],
    ] as const;
    for (const [action, name, bytes, extension, durationSec] of wanted) {
      const { url } = served(name, file(bytes));
      const task = await ends.submit('song-v5', { prompt: null, action, parent_task_id: song.id });
      await ends.start(task);
      native.record = { status: 'SUCCESS', results: [{ url }] };
      const step = await ends.check(task);
      expect(step).toMatchObject({ ending: { status: 'SUCCESS', durationSec } });
      const [made] = step.kind === 'ended' && step.ending.status === 'SUCCESS' ? step.ending.results : [];
      expect(made?.file.endsWith(`.${extension}`)).toBe(true);
    }
  });

  it.for([
    [{ status: 'SENSITIVE_WORD_ERROR' }, 'content_filter', null],
    [{ successFlag: 3, errorCode: null, errorMessage: 'flagged for safety' }, 'content_filter', null],
    [{ status: 'GENERATE_FAILED', errorCode: 531, errorMessage: 'RAW' }, 'upstream_error', null],
    [{ status: 'CREATE_TASK_FAILED', errorCode: 404 }, 'invalid_param', 'parent_task_id'],
  ] as const)('maps the failed record %j to %s (J8, J18)', async ([record, code, param]) => {
    const task = await started('song-v5');
    native.record = record;
    expect(await ends.check(task)).toMatchObject({
      ending: { status: 'FAILED', error: { code, param, channel: 'songs-a' } },
    });
  });
});

it('charges the output of a task, and nothing for a failed task', async () => {
  const task = await started('vidB2');
  await ends.work.settle(ends.now(task), { status: 'SUCCESS', results: [], durationSec: 5 }, 1000);
  await ends.work.settle(ends.now(task), { status: 'EXPIRED' }, 1000);
  expect(ends.gateway.records).toMatchObject([
    { request_id: task.requestId, task_id: task.id, channel_id: 'jobs-a', outcome: 'success' },
    { request_id: task.requestId, outcome: 'expired', charge_pico: 0n },
  ]);
});
