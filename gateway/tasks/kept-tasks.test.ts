import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { TestClock } from '../clock.ts';
import { storeOf } from '../testing/store/store-of.ts';
import { storeKinds } from '../testing/store/test-stores.ts';
import {
  type FakeWork,
  fakeWork,
  newTask,
  limits as quick,
  stillRunning,
} from '../testing/tasks/sample-tasks.ts';
import { TasksBench } from '../testing/tasks/tasks-bench.ts';
import { createSoleInstance } from '../work/instances.ts';
import type { RunningTasks } from './create-tasks.ts';

const limits = { ...quick, poll_ms: 400, poll_most_ms: 400 };
const ids = Array.from({ length: 20 }, (_, n) => `t${n}`);

describe.each(storeKinds)('tasks with frequent polls, on a store of kind $name', ({ fresh }) => {
  const store = storeOf(fresh);
  let clock: TestClock;
  let work: FakeWork;
  let harness: TasksBench;
  let asked: string[];
  let tasks: RunningTasks;
  /** Each task has been polled once. The clock moves only when a test advances it. */
  beforeEach(async () => {
    vi.useFakeTimers({ toFake: ['Date', 'performance'] });
    [clock, work, harness, asked] = [new TestClock(), fakeWork(), new TasksBench(), []];
    work.checks = Array.from({ length: 999 }, () => stillRunning);
    work.before = async (what, task) => {
      if (what === 'check') asked.push(task.id);
    };
    tasks = await open('gw_first', work);
    await Promise.all(ids.map((id) => tasks.submit(newTask(id, clock.now()))));
    await tasks.idle(9_000);
    await pollAll();
  });
  afterEach(async () => {
    await harness.close();
    await store.db.deleteFrom('tasks').execute();
    vi.useRealTimers();
  });

  const open = (own: string, its: FakeWork): Promise<RunningTasks> =>
    harness.open({ db: store.db, instances: createSoleInstance(own), work: its, clock, limits });
  const pollAll = async (): Promise<void> => {
    asked = [];
    await clock.advance(limits.poll_ms);
    await tasks.idle(9_000);
    expect(asked.toSorted()).toEqual(ids.toSorted());
  };
  /** The last transaction that wrote each row. */
  const versions = async (): Promise<Record<string, string>> => {
    const { rows } = await sql<{ id: string; at: string }>`select id, xmin::text as at from tasks`.execute(
      store.db,
    );
    return Object.fromEntries(rows.map(({ id, at }) => [id, at]));
  };

  it('are written every two seconds, not at every poll', async () => {
    const claimed = await versions();
    for (let n = 0; n < 4; n += 1) await pollAll();
    expect(await versions()).toEqual(claimed);
    await pollAll();
    const written = await versions();
    for (const id of ids) expect(written[id]).not.toBe(claimed[id]);
    await pollAll();
  });

  it('are polled at once on a notification, which writes only the notified task', async () => {
    const claimed = await versions();
    asked = [];
    await tasks.notify('ch', 'job of t7');
    await tasks.idle(9_000);
    expect(asked).toEqual(['t7']);
    const { t7: before, ...others } = claimed;
    const { t7: after, ...same } = await versions();
    expect([after !== before, same]).toEqual([true, others]);
    await pollAll();
  });

  it('continue at the next process, and ignore later writes of the previous one', async () => {
    const heir = fakeWork();
    const second = await open('gw_second', heir);
    await second.idle(9_000);
    expect(heir.settled.size).toBe(ids.length);
    const ended = await versions();
    work.checks = [];
    await pollAll();
    expect(work.settled.size).toBe(0);
    expect(await versions()).toEqual(ended);
  });

  it('end when a poll finds that their job has ended', async () => {
    work.checks = [];
    await pollAll();
    expect(work.settled.size).toBe(ids.length);
    expect((await tasks.findAny('t3'))?.status).toBe('SUCCESS');
    expect(clock.nextDue()).toBeNull();
  });
});
