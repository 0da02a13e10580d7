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

  it('is started under the name of its task', async () => {
    const task = await ends.submit('song-v5');
    expect(await ends.start(task)).toMatchObject({ kind: 'started', channelId: 'songs-a', nativeId: 'n1' });
    expect(native.made).toMatchObject([{ name: task.id, body: { task: 'generate', model: 'native-song' } }]);
    // Nothing was asked before a first start.
    expect(first.asked).toHaveLength(0);
  });

  it('whose answer was lost is looked for by its name, and not made again (J2)', async () => {
    first.queue.push(lost(native));
    expect(await ends.start(await ends.submit('song-v5'))).toMatchObject({ kind: 'started', nativeId: 'n1' });
    expect(native.made).toHaveLength(1);
    expect(first.seen).toHaveLength(1);
  });

  it('is looked for before any other try, also after a crash', async () => {
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

  it('is not made while nobody says whether it is there', async () => {
    const task = await ends.submit('song-v5');
    ends.gateway.tasks.change(task.id, { channelId: 'songs-a' });
    first.answer = jobsError(500);
    expect(await ends.start(task)).toMatchObject({ kind: 'later', channelId: 'songs-a' });
    expect(first.seen).toHaveLength(0);
  });

  it('that was not made though its answer was lost is made at a later try', async () => {
    first.queue.push(cut);
    const task = await ends.submit('song-v5');
    expect(await ends.start(task)).toMatchObject({ kind: 'later', channelId: 'songs-a' });
    expect(await ends.start(task)).toMatchObject({ kind: 'started', nativeId: 'n1' });
    expect(native.made).toHaveLength(1);
  });

  it('survives a kept connection that has died (T9)', async () => {
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
  ] as const)('that is refused by the code %i is %s', async ([code, kind, error]) => {
    first.fallback = json(200, { code, msg: 'RAW', data: null });
    const step = await ends.start(await ends.submit('song-v5'));
    expect(step).toMatchObject({ kind, ...(error !== '' && { ending: { error: { code: error } } }) });
    if (kind === 'started') expect(step).toMatchObject({ channelId: 'songs-b' });
  });

  it('without an id has failed, unless it is found by its name (J3)', async () => {
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

  it('goes to the upstream that made its parent, and names it there', async () => {
    const step = await ends.start(await next(await grid()));
    expect(step).toMatchObject({ kind: 'started', channelId: 'songs-b' });
    expect(native.made).toMatchObject([
      { body: { task: 'upscale', parent: 'grid-1', params: { index: 2 } } },
    ]);
    expect(first.seen).toHaveLength(0);
  });

  it('waits for that upstream, and for no other', async () => {
    second.fallback = json(200, { code: 429, msg: 'RAW', data: null });
    const task = await next(await grid());
    expect(await ends.start(task)).toMatchObject({
      kind: 'later',
      channelId: 'songs-b',
      ending: { error: { code: 'channel_queue_full' } },
    });
    expect(first.seen).toHaveLength(0);
  });

  it('has failed when its upstream knows the parent no longer (J18)', async () => {
    second.fallback = json(200, { code: 404, msg: 'parent record not found', data: null });
    expect(await ends.start(await next(await grid()))).toMatchObject({
      kind: 'ended',
      ending: { error: { code: 'invalid_param', param: 'parent_task_id' } },
    });
  });

  it('has failed when the parent was forgotten here', async () => {
    const parent = await grid();
    const task = await next(parent);
    ends.gateway.tasks.forget(parent.id);
    expect(await ends.start(task)).toMatchObject({
      kind: 'ended',
      ending: { error: { code: 'invalid_param', param: 'parent_task_id' } },
    });
    expect(second.seen).toHaveLength(0);
  });

  it('may build on two, which must be of one upstream', async () => {
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

  it('of another kind gets the link that is published here', async () => {
    const jobs = playJobs(first);
    const parent = await grid();
    await ends.start(await ends.submit('vidA-3.1-quality', { image: { task_id: parent.id } }));
    expect(jobs.made).toMatchObject([
      { body: { input: { first_frame: `${ends.gateway.url}/media/a.png` } } },
    ]);
  });
});
