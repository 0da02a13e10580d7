import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { TestClock } from '../clock.ts';
import { storeOf } from '../testing/store/store-of.ts';
import { storeKinds } from '../testing/store/test-stores.ts';
import { type FakeWork, fakeWork, newTask, limits as quick } from '../testing/tasks/sample-tasks.ts';
import { TasksBench } from '../testing/tasks/tasks-bench.ts';
import type { RunningTasks } from './create-tasks.ts';

/** Long poll intervals: nothing becomes due by itself during a slow test. */
const limits = { ...quick, poll_ms: 10_000, poll_most_ms: 40_000 };
const waitOptions = { timeout: 10_000 };

describe.each(storeKinds)('the stored bytes of tasks, on a store of kind $name', ({ fresh }) => {
  const store = storeOf(fresh);
  let clock: TestClock;
  let work: FakeWork;
  let bench: TasksBench;
  beforeEach(() => {
    [clock, work, bench] = [new TestClock(), fakeWork(), new TasksBench()];
  });
  afterEach(async () => {
    await bench.close();
    await store.db.deleteFrom('tasks').execute();
    await store.db.deleteFrom('task_bytes').execute();
  });

  const open = (bytes: number): Promise<RunningTasks> =>
    bench.open({ db: store.db, work, clock, limits: { ...limits, account_bytes: bytes } });
  const succeeds = async (tasks: RunningTasks, id: string): Promise<void> => {
    const becomes = (status: string): Promise<unknown> =>
      vi.waitUntil(async () => (await tasks.find('acc', id))?.status === status, waitOptions);
    await becomes('RUNNING');
    await clock.advance(limits.poll_ms);
    await becomes('SUCCESS');
  };

  it("are at most their account's limit, and include the caller's input until they end", async () => {
    const tasks = await open(60_000);
    const { begun, gate } = bench.stopAt('start', work);
    const large = (id: string, accountId = 'acc') =>
      newTask(id, clock.now(), { accountId, fields: { prompt: 'x'.repeat(40_000) } });
    await tasks.submit(large('first'));
    await begun;
    await expect(tasks.submit(large('too much'))).rejects.toMatchObject({ code: 'quota_exceeded' });
    expect(await tasks.findAny('too much')).toBeNull();
    await tasks.submit(large('of another', 'other'));
    gate.resolve();
    await succeeds(tasks, 'first');
    const [kept] = await store.db.selectFrom('tasks').select('fields').where('id', '=', 'first').execute();
    expect(kept?.fields).toBe('{}');
    await tasks.submit(large('second'));
    await succeeds(tasks, 'second');
    await clock.advance(limits.retention_ms);
    expect(await tasks.findAny('second')).toBeNull();
    const bytesOf = async () =>
      (await store.db.selectFrom('task_bytes').select('bytes').where('account_id', '=', 'acc').execute()).map(
        ({ bytes }) => bytes,
      );
    await expect.poll(bytesOf, waitOptions).toEqual([0n]);
  });

  it('include the URL of their webhook and their event until they are removed', async () => {
    const tasks = await open(30_000);
    const withUrl = (id: string) =>
      newTask(id, clock.now(), { webhookUrl: `https://receiver.test/${'x'.repeat(8_000)}` });
    await tasks.submit(withUrl('first'));
    await succeeds(tasks, 'first');
    await expect(tasks.submit(withUrl('too much'))).rejects.toMatchObject({ code: 'quota_exceeded' });
    await clock.advance(limits.retention_ms);
    expect(await tasks.findAny('first')).toBeNull();
    await vi.waitFor(() => tasks.submit(withUrl('second')), waitOptions);
  });
});
