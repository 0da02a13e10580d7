import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { RealClock, TestClock } from '../clock.ts';
import { createStoreLink } from '../store/store-link.ts';
import { storeOf } from '../testing/store/store-of.ts';
import { storeKinds } from '../testing/store/test-stores.ts';
import { type FakeWork, fakeWork, limits, newTask, stillRunning } from '../testing/tasks/sample-tasks.ts';
import { TasksBench } from '../testing/tasks/tasks-bench.ts';
import { sharedInstance } from '../testing/work/test-instances.ts';
import type { RunningTasks, TasksParts } from './create-tasks.ts';

const waitOptions = { timeout: 10_000 };
/** Intervals so long that no regular poll occurs during a test. */
const seldom = { ...limits, poll_ms: 20_000, poll_most_ms: 800_000, deadline_ms: 9_000_000 };

describe.each(storeKinds)('steps of tasks on a store of kind $name', ({ fresh }) => {
  const link = createStoreLink();
  const store = storeOf(fresh, link);
  let clock: TestClock;
  let work: FakeWork;
  let bench: TasksBench;
  /** The times at which jobs were polled. */
  let asked: number[];
  afterEach(async () => {
    await bench.close();
    await store.db.deleteFrom('tasks').execute();
  });
  beforeEach(() => {
    clock = new TestClock();
    work = fakeWork();
    bench = new TasksBench();
    asked = [];
    work.checks = Array.from({ length: 99 }, () => stillRunning);
    work.before = async (what) => {
      if (what === 'check') asked.push(clock.now());
    };
  });
  const open = (parts: Partial<TasksParts> = {}): Promise<RunningTasks> =>
    bench.open({ db: store.db, work, clock, limits: seldom, ...parts });
  const submit = (tasks: RunningTasks, id: string): Promise<void> =>
    tasks.submit(newTask(id, clock.now(), { deadlineAtMs: clock.now() + seldom.deadline_ms }));
  const notify = async (tasks: RunningTasks): Promise<void> => {
    await tasks.notify('ch', 'job of t');
    await tasks.idle(2_000);
  };
  const move = async (tasks: RunningTasks, ms: number): Promise<void> => {
    await clock.advance(ms);
    await tasks.idle(2_000);
  };
  /** Tasks of which one, `t`, has started and was polled this many times without a result. */
  async function running(polls: number): Promise<RunningTasks> {
    const tasks = await open();
    await submit(tasks, 't');
    await tasks.idle(2_000);
    for (let n = 0; n < polls; n += 1) await move(tasks, seldom.poll_ms * 2 ** n);
    expect(asked).toHaveLength(polls);
    return tasks;
  }
  const statusOf = async (tasks: RunningTasks, id: string): Promise<string | undefined> =>
    (await tasks.find('acc', id))?.status;
  const dueIn = (): number => (clock.nextDue() ?? 0) - clock.now();
  const rowOf = () => store.db.selectFrom('tasks').selectAll().executeTakeFirst();

  it('run at once on a notification, without moving the regular steps', async () => {
    const tasks = await running(2);
    const due = clock.nextDue();
    await notify(tasks);
    expect([asked.length, Math.abs((clock.nextDue() ?? 0) - (due ?? 0)) < 50]).toEqual([3, true]);
    await move(tasks, 4 * seldom.poll_ms);
    expect(asked).toHaveLength(4);
    // The waits continue to double as if there had been no notification.
    expect(dueIn()).toBeGreaterThan(7 * seldom.poll_ms);
  });

  it('run one at a time and at the initial rate, even on a hundred notifications', async () => {
    const tasks = await running(4);
    let [atOnce, max] = [0, 0];
    work.before = async (what) => {
      if (what !== 'check') return;
      asked.push(clock.now());
      atOnce += 1;
      max = Math.max(max, atOnce);
      await new Promise((resolve) => setImmediate(resolve));
      atOnce -= 1;
    };
    for (let n = 0; n < 100; n += 1) {
      await tasks.notify('ch', 'job of t');
      await clock.advance(1_000);
    }
    await tasks.idle(2_000);
    const [start = 0] = asked.slice(4);
    const lasted = clock.now() - start;
    expect(asked.length - 4).toBeGreaterThan(3);
    expect(asked.length - 4).toBeLessThanOrEqual(lasted / seldom.poll_ms + 2);
    expect(max).toBe(1);
  });

  it('run again after a notification during a poll', async () => {
    const tasks = await running(1);
    const gate = Promise.withResolvers<void>();
    const { before } = work;
    work.before = async (what, task) => {
      await before(what, task);
      if (asked.length === 2) await gate.promise;
    };
    await clock.advance(2 * seldom.poll_ms);
    await vi.waitUntil(() => asked.length === 2, waitOptions);
    await tasks.notify('ch', 'job of t');
    await tasks.notify('ch', 'job of t');
    expect(asked).toHaveLength(2);
    gate.resolve();
    await vi.waitUntil(() => asked.length === 3, waitOptions);
    await tasks.idle(2_000);
    expect(asked).toHaveLength(3);
    expect(dueIn()).toBeGreaterThan(3 * seldom.poll_ms);
  });

  it('do not count failures after notifications as failures in a row', async () => {
    const tasks = await running(1);
    work.before = () => Promise.reject(new Error('it is out'));
    for (let n = 0; n < 2 * limits.poll_tries; n += 1) {
      await notify(tasks);
      await clock.advance(1);
    }
    expect(await rowOf()).toMatchObject({ status: 'RUNNING', ending: null });
    expect((await rowOf())?.poll_tries).toBeLessThan(limits.poll_tries);
  });

  it('do not run early on a notification after a failure of the gateway itself', async () => {
    const tasks = await running(1);
    await tasks.close();
    // The wait after a failure never ends.
    const timer = new RealClock();
    timer.sleep = () => new Promise(() => {});
    work.checks = [];
    let tries = 0;
    work.before = async (what) => {
      if (what === 'settle') tries += 1;
      if (what === 'settle') throw new Error('no ledger');
    };
    const others = await open({ timer });
    await vi.waitUntil(() => tries === 1, waitOptions);
    await others.notify('ch', 'job of t');
    await others.idle(2_000);
    expect([tries, asked.length]).toEqual([1, 1]);
  });

  it('do not run on notifications of unknown or ended jobs', async () => {
    const tasks = await running(1);
    await tasks.notify('other', 'job of t');
    work.checks = [];
    await notify(tasks);
    expect(await rowOf()).toMatchObject({ status: 'SUCCESS' });
    expect(clock.nextDue()).toBeNull();
    await notify(tasks);
    expect([asked.length, clock.nextDue()]).toEqual([2, null]);
  });

  it("run at once on a notification, even before the job's start was answered", async () => {
    const tasks = await open();
    work.checks = [stillRunning, stillRunning];
    const { begun, gate } = bench.stopAt('start', work);
    await submit(tasks, 'early');
    await begun;
    await tasks.notify('ch', 'job of early');
    gate.resolve();
    await vi.waitUntil(() => work.checks.length === 1, waitOptions);
    await clock.advance(seldom.poll_ms);
    await tasks.idle(2_000);
    await tasks.notify('ch', 'job of another');
    await tasks.notify('another', 'job of early');
    expect([work.checks.length, await statusOf(tasks, 'early')]).toEqual([0, 'RUNNING']);
    await tasks.notify('ch', 'job of early');
    await tasks.idle(2_000);
    expect(await statusOf(tasks, 'early')).toBe('SUCCESS');
  });

  it('run on notifications to another process, even before the start was answered or during an outage', async () => {
    const holder = await open({ instances: sharedInstance('gw_holder') });
    work.checks = [stillRunning, stillRunning];
    const { begun, gate } = bench.stopAt('start', work);
    await submit(holder, 'shared');
    await begun;
    const teller = await open({ instances: sharedInstance('gw_teller') });
    await teller.notify('ch', 'job of shared');
    gate.resolve();
    await vi.waitUntil(() => work.checks.length === 1, waitOptions);
    await clock.advance(seldom.poll_ms);
    await Promise.all([holder.idle(2_000), teller.idle(2_000)]);
    expect([work.checks.length, await statusOf(holder, 'shared')]).toEqual([0, 'RUNNING']);
    await link.stop();
    await teller.notify('ch', 'job of shared');
    link.start();
    await vi.waitUntil(async () => (await statusOf(holder, 'shared')) === 'SUCCESS', waitOptions);
  });

  it('run up to the limit at once, and end a task at its deadline although others hang', async () => {
    const tasks = await open({ limits: { ...seldom, at_once: 1 } });
    const { begun } = bench.stopAt('start', work);
    await submit(tasks, 'hangs');
    await begun;
    await clock.advance(1_000);
    await submit(tasks, 'waits');
    await tasks.idle(50);
    expect(work.given.map((task) => task.id)).toEqual(['hangs']);
    await clock.advance(seldom.deadline_ms);
    await vi.waitUntil(async () => (await tasks.find('acc', 'waits'))?.status === 'EXPIRED', waitOptions);
    expect(work.given.map((task) => task.id)).toEqual(['hangs']);
  });

  it.each(['start', 'check'] as const)(
    'of one account leave room for those of another, however many hang at their %s',
    async (where) => {
      const tasks = await open({ limits: { ...limits, at_once: 4 } });
      const hanging = Promise.withResolvers<void>();
      const reached: string[] = [];
      work.checks = [];
      work.before = async (what, { accountId }) => {
        if (what !== where) return;
        reached.push(accountId);
        if (accountId === 'acc') await hanging.promise;
      };
      for (let n = 0; n < 5; n += 1) await submit(tasks, `hangs ${n}`);
      await tasks.idle(50);
      await clock.advance(limits.poll_ms);
      await tasks.submit(newTask('other', clock.now(), { accountId: 'other' }));
      await tasks.idle(50);
      await clock.advance(limits.poll_ms);
      await vi.waitUntil(() => reached.includes('other'), waitOptions);
      expect(reached).toEqual(['acc', 'acc', 'acc', 'other']);
      hanging.resolve();
    },
  );

  it('stop once the process begins to close', async () => {
    const tasks = await running(1);
    await tasks.close();
    await clock.advance(seldom.deadline_ms);
    expect([clock.nextDue(), work.settled.size, asked.length]).toEqual([null, 0, 1]);
  });
});
