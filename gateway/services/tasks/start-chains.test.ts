import { beforeEach, describe, expect, it } from 'vitest';
import { cut, type FakeUpstream, json } from '../../testing/fake-upstream.ts';
import { type NativeJobs, playJobs, playRecords } from '../../testing/native-jobs.ts';
import type { TaskEnds } from '../../testing/task-ends.ts';
import { jobsError, lost, useStartHarness } from '../../testing/tasks/start-bench.ts';

let ends: TaskEnds;
let first: FakeUpstream;
let second: FakeUpstream;
useStartHarness((harness) => {
  ({ ends, first, second } = harness);
});

describe('a job in the callback-jobs dialect', () => {
  let native: NativeJobs;
  beforeEach(() => {
    native = playRecords(first);
    playRecords(second);
  });

  it('is started with its task id as its name', async () => {
    const task = await ends.submit('song-v5');
    expect(await ends.start(task)).toMatchObject({ kind: 'started', channelId: 'songs-a', nativeId: 'n1' });
    expect(native.made).toMatchObject([{ name: task.id, body: { task: 'generate', model: 'native-song' } }]);
    // There is no search before a first start.
    expect(first.asked).toHaveLength(0);
  });

  it('is searched for by name after a lost answer, and not started again (J2)', async () => {
    first.queue.push(lost(native));
    expect(await ends.start(await ends.submit('song-v5'))).toMatchObject({ kind: 'started', nativeId: 'n1' });
    expect(native.made).toHaveLength(1);
    expect(first.seen).toHaveLength(1);
  });

  it('is searched for before any other attempt, even after a crash', async () => {
    const task = await ends.submit('song-v5');
    ends.gateway.tasks.change(task.id, { channelId: 'songs-a' });
    expect(await ends.start(task)).toMatchObject({ kind: 'started', nativeId: 'n1' });
    expect(first.asked[0]?.path).toBe(`/v1/record?reference=${task.id}`);
    const crashed = await ends.submit('song-v5');
    native.made.push({ id: 'n2', name: crashed.id, body: {} });
    ends.gateway.tasks.change(crashed.id, { channelId: 'songs-a' });
    expect(await ends.start(crashed)).toMatchObject({ kind: 'started', nativeId: 'n2' });
    expect(first.seen).toHaveLength(1);
  });

  it('is not started while the search fails', async () => {
    const task = await ends.submit('song-v5');
    ends.gateway.tasks.change(task.id, { channelId: 'songs-a' });
    first.answer = jobsError(500);
    expect(await ends.start(task)).toMatchObject({ kind: 'later', channelId: 'songs-a' });
    expect(first.seen).toHaveLength(0);
  });

  it('is started later if the lost request did not start it', async () => {
    first.queue.push(cut);
    const task = await ends.submit('song-v5');
    expect(await ends.start(task)).toMatchObject({ kind: 'later', channelId: 'songs-a' });
    expect(await ends.start(task)).toMatchObject({ kind: 'started', nativeId: 'n1' });
    expect(native.made).toHaveLength(1);
  });

  it('is started despite a stale connection (T9)', async () => {
    await ends.start(await ends.submit('song-v5'));
    first.queue.push(cut);
    expect(await ends.start(await ends.submit('song-v5'))).toMatchObject({ kind: 'started', nativeId: 'n2' });
    expect(native.made).toHaveLength(2);
  });

  it.for([
    [400, 'ended', 'upstream_error'],
    [413, 'ended', 'content_filter'],
    [401, 'started', ''],
    [429, 'started', ''],
    [455, 'started', ''],
    [500, 'started', ''],
    [531, 'started', ''],
  ] as const)('after the error code %i is %s', async ([code, kind, error]) => {
    first.fallback = json(200, { code, msg: 'RAW', data: null });
    const step = await ends.start(await ends.submit('song-v5'));
    expect(step).toMatchObject({ kind, ...(error !== '' && { ending: { error: { code: error } } }) });
    if (kind === 'started') expect(step).toMatchObject({ channelId: 'songs-b' });
  });

  it('fails without an id, unless the search finds it (J3)', async () => {
    const task = await ends.submit('song-v5');
    first.fallback = json(200, { code: 200, msg: 'success', data: {} });
    expect(await ends.start(task)).toMatchObject({
      kind: 'ended',
      ending: { error: { code: 'upstream_error', channel: 'songs-a' } },
    });
    expect(first.asked).toHaveLength(1);
  });
});

describe('a step of a chain', () => {
  let native: NativeJobs;
  beforeEach(() => {
    playRecords(first);
    native = playRecords(second);
  });
  const grid = async () => {
    const task = await ends.submit('journey-v7');
    ends.gateway.tasks.change(task.id, { channelId: 'songs-b', nativeId: 'grid-1' });
    const results = [{ file: 'a.png' }, { file: 'b.png' }, { file: 'c.png' }, { file: 'd.png' }];
    ends.gateway.tasks.end(task.id, { status: 'SUCCESS', results, durationSec: null });
    return task;
  };
  const next = (parent: { readonly id: string }, more: object = {}) =>
    ends.submit('journey-v7', {
      prompt: null,
      action: 'upscale',
      parent_task_id: parent.id,
      index: 2,
      ...more,
    });

  it('goes to the upstream of its parent, with the native id of the parent', async () => {
    const step = await ends.start(await next(await grid()));
    expect(step).toMatchObject({ kind: 'started', channelId: 'songs-b' });
    expect(native.made).toMatchObject([
      { body: { task: 'upscale', parent: 'grid-1', params: { index: 2 } } },
    ]);
    expect(first.seen).toHaveLength(0);
  });

  it('waits for that upstream instead of using another', async () => {
    second.fallback = json(200, { code: 429, msg: 'RAW', data: null });
    const task = await next(await grid());
    expect(await ends.start(task)).toMatchObject({
      kind: 'later',
      channelId: 'songs-b',
      ending: { error: { code: 'channel_queue_full' } },
    });
    expect(first.seen).toHaveLength(0);
  });

  it('fails if its upstream no longer knows the parent (J18)', async () => {
    second.fallback = json(200, { code: 404, msg: 'parent record not found', data: null });
    expect(await ends.start(await next(await grid()))).toMatchObject({
      kind: 'ended',
      ending: { error: { code: 'invalid_param', param: 'parent_task_id' } },
    });
  });

  it('fails if the gateway has forgotten the parent', async () => {
    const parent = await grid();
    const task = await next(parent);
    ends.gateway.tasks.forget(parent.id);
    expect(await ends.start(task)).toMatchObject({
      kind: 'ended',
      ending: { error: { code: 'invalid_param', param: 'parent_task_id' } },
    });
    expect(second.seen).toHaveLength(0);
  });

  it('may have two parents, which must be from one upstream', async () => {
    const song = async (channelId: string, nativeId: string) => {
      const task = await ends.submit('song-v5');
      ends.gateway.tasks.change(task.id, { channelId, nativeId });
      ends.gateway.tasks.end(task.id, { status: 'SUCCESS', results: [{ file: 'a.mp3' }], durationSec: 60 });
      return task.id;
    };
    const [a, b, c] = [await song('songs-b', 's1'), await song('songs-b', 's2'), await song('songs-a', 's3')];
    const mash = (parent_task_ids: string[]) =>
      ends.submit('song-v5', { prompt: null, action: 'mashup', parent_task_ids });
    expect(await ends.start(await mash([a, b]))).toMatchObject({ kind: 'started', channelId: 'songs-b' });
    expect(native.made).toMatchObject([{ body: { task: 'mashup', parents: ['s1', 's2'] } }]);
    expect(await ends.start(await mash([a, c]))).toMatchObject({
      kind: 'ended',
      ending: { error: { code: 'invalid_param' } },
    });
  });

  it('of another kind gets the gateway link to the image', async () => {
    const jobs = playJobs(first);
    const parent = await grid();
    await ends.start(await ends.submit('vidA-3.1-quality', { image: { task_id: parent.id } }));
    expect(jobs.made).toMatchObject([
      { body: { input: { first_frame: `${ends.gateway.url}/media/a.png` } } },
    ]);
  });
});
