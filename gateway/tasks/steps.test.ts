import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { RealClock, TestClock } from '../clock.ts';
import { openStore, type Store } from '../store/store.ts';
import { createStoreLink } from '../store/store-link.ts';
import { type FreshPlace, silentLog, storeKinds } from '../testing/store/test-stores.ts';
import { type FakeWork, fakeWork, limits, newTask, stillRunning } from '../testing/tasks/sample-tasks.ts';
import { TasksBench } from '../testing/tasks/tasks-bench.ts';
import { sharedInstance } from '../testing/work/test-instances.ts';
import type { RunningTasks, TasksParts } from './create-tasks.ts';

const waitOptions = { timeout: 10_000 };
/** Looks that are due by themselves are far away. */
const seldom = { ...limits, poll_ms: 20_000, poll_most_ms: 800_000, deadline_ms: 9_000_000 };

describe.each(storeKinds)('steps of tasks on a store of kind $name', ({ fresh }) => {
  let place: FreshPlace;
  let store: Store;
  const link = createStoreLink();
  let clock: TestClock;
  let work: FakeWork;
  let bench: TasksBench;
  /** When a job was polled, and what does that then. */
  let asked: number[];
  beforeAll(async () => {
    place = await fresh();
    store = await openStore({ ...place.place, log: silentLog, link });
  });
  afterEach(async () => {
    await bench.close();
    await store.db.deleteFrom('tasks').execute();
  });
  afterAll(async () => {
    await store.close();
    await place.remove();
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
  /** Tasks of which one, `t`, has been started and polled so often without success. */
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

  it('come at once on a notification of their job, which moves none that is due anyway', async () => {
    const tasks = await running(2);
    const due = clock.nextDue();
    await notify(tasks);
    expect([asked.length, Math.abs((clock.nextDue() ?? 0) - (due ?? 0)) < 50]).toEqual([3, true]);
    await move(tasks, 4 * seldom.poll_ms);
    expect(asked).toHaveLength(4);
    // The waits go on doubling as if nobody had said anything.
    expect(dueIn()).toBeGreaterThan(7 * seldom.poll_ms);
  });

  it('come no faster than the first ones would, and one by one, on notifications by the hundred', async () => {
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

  it('are followed by another one where a notification comes during a poll', async () => {
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

  it('use up none of the failures that an upstream may have in a row, where they owe to notifications', async () => {
    const tasks = await running(1);
    work.before = () => Promise.reject(new Error('it is out'));
    for (let n = 0; n < 2 * limits.poll_tries; n += 1) {
      await notify(tasks);
      await clock.advance(1);
    }
    expect(await rowOf()).toMatchObject({ status: 'RUNNING', ending: null });
    expect((await rowOf())?.poll_tries).toBeLessThan(limits.poll_tries);
  });

  it('come no earlier on a notification after one that failed through us', async () => {
    const tasks = await running(1);
    await tasks.close();
    // The wait after a failure does not end.
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

  it('are nothing where a notification is of a job that nobody knows, or that has ended', async () => {
    const tasks = await running(1);
    await tasks.notify('other', 'job of t');
    work.checks = [];
    await notify(tasks);
    expect(await rowOf()).toMatchObject({ status: 'SUCCESS' });
    expect(clock.nextDue()).toBeNull();
    await notify(tasks);
    expect([asked.length, clock.nextDue()]).toEqual([2, null]);
  });

  it('are polled at once on a notification of their job, also of one whose start was not answered yet', async () => {
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

  it('are polled on a notification that another process took, before their start was answered or while the database was away', async () => {
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

  it('are as many at once as they may be, and end a task at its deadline although those hang', async () => {
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

  it('are taken no more once this process is to end', async () => {
    const tasks = await running(1);
    await tasks.close();
    await clock.advance(seldom.deadline_ms);
    expect([clock.nextDue(), work.settled.size, asked.length]).toEqual([null, 0, 1]);
  });
});
