import { type Kysely, sql, type TransactionBuilder } from 'kysely';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { TestClock } from '../clock.ts';
import type { Database } from '../store/database.ts';
import { tasksHolder } from '../store/ledger-tables.ts';
import { createStoreLink } from '../store/store-link.ts';
import { storeOf } from '../testing/store/store-of.ts';
import { storeKinds } from '../testing/store/test-stores.ts';
import {
  type FakeWork,
  fakeWork,
  newTask,
  limits as QUICK,
  stillRunning,
  success,
} from '../testing/tasks/sample-tasks.ts';
import { holdFor, type Stopped, TasksBench } from '../testing/tasks/tasks-bench.ts';
import { sharedInstance } from '../testing/work/test-instances.ts';
import type { RunningTasks, TasksParts } from './create-tasks.ts';

/** Long poll intervals: nothing becomes due by itself during a slow test. */
const limits = { ...QUICK, poll_ms: 10_000, poll_most_ms: 40_000 };
const waitOptions = { timeout: 10_000 };

describe.each(storeKinds)('tasks on a store of kind $name', ({ fresh }) => {
  const link = createStoreLink();
  const store = storeOf(fresh, link);
  let clock: TestClock;
  let work: FakeWork;
  let bench: TasksBench;
  afterEach(async () => {
    await bench.close();
    await store.db.deleteFrom('tasks').execute();
    await store.db.deleteFrom('task_bytes').execute();
  });
  beforeEach(() => {
    clock = new TestClock();
    work = fakeWork();
    bench = new TasksBench();
  });

  const open = (parts: Partial<TasksParts> = {}): Promise<RunningTasks> =>
    bench.open({ db: store.db, work, clock, limits: limits, ...parts });
  const stopAt = (stopped: 'start' | 'settle', on = work): Stopped => bench.stopAt(stopped, on);
  const hold = (requestId: string): Promise<void> => holdFor(store.db, requestId);
  const statusOf = async (tasks: RunningTasks, id: string): Promise<string | undefined> =>
    (await tasks.find('acc', id))?.status;

  it('start as QUEUED, take their first step at once, and follow the clock to their end', async () => {
    const tasks = await open();
    work.checks = [stillRunning];
    const { begun, gate } = stopAt('start');
    await hold('req_first');
    const task = newTask('first', clock.now(), { fields: { prompt: 'nul \0, half \ud800' } });
    await tasks.submit(task);
    await begun;
    expect(await tasks.find('acc', 'first')).toEqual({
      ...task,
      status: 'QUEUED',
      channelId: 'ch',
      nativeId: null,
      startTries: 0,
      pollTries: 0,
      ending: null,
      endedAtMs: null,
    });
    gate.resolve();
    await tasks.idle(2_000);
    expect(await statusOf(tasks, 'first')).toBe('RUNNING');
    await clock.advance(limits.poll_ms);
    await tasks.idle(2_000);
    await clock.advance(2 * limits.poll_ms);
    await tasks.idle(2_000);
    expect(await tasks.find('acc', 'first')).toMatchObject({
      status: 'SUCCESS',
      ending: success,
      startTries: 1,
    });
    expect(work.settled.get('req_first')).toEqual(success);
    expect(clock.nextDue()).toBeNull();
  });

  it('keep short fields, and of long ones the duration alone after the start of their job', async () => {
    const tasks = await open();
    const { begun } = stopAt('start');
    const image = `data:image/png;base64,${'A'.repeat(100_000)}`;
    await tasks.submit(newTask('long', clock.now(), { fields: { image, duration: 10 } }));
    await begun;
    expect((await tasks.findAny('long'))?.fields).toEqual({ duration: 10 });
    expect(work.given[0]?.fields).toEqual({ image, duration: 10 });
  });

  it('keep their hold when the process that took it dies', async () => {
    const tasks = await open();
    await hold('req_held');
    await tasks.submit(newTask('held', clock.now()));
    const held = await store.db
      .selectFrom('open_holds')
      .select('holder')
      .where('request_id', '=', 'req_held')
      .executeTakeFirst();
    expect(held?.holder).toBe(tasksHolder);
    await tasks.idle(2_000);
  });

  it('answer alike for an unknown, a foreign and an expired id', async () => {
    const tasks = await open();
    await tasks.submit(newTask('own', clock.now()));
    await tasks.idle(2_000);
    await clock.advance(limits.poll_ms);
    await tasks.idle(2_000);
    expect(await tasks.find('other', 'own')).toBeNull();
    expect(await tasks.find('acc', 'nowhere')).toBeNull();
    expect(await tasks.findAny('own')).toMatchObject({ status: 'SUCCESS' });
    await clock.advance(limits.retention_ms - 1_000);
    expect(await statusOf(tasks, 'own')).toBe('SUCCESS');
    await clock.advance(1_000);
    expect(await tasks.find('acc', 'own')).toBeNull();
    expect(await tasks.findAny('own')).toBeNull();
    await vi.waitUntil(() => work.forgotten.includes('own'), waitOptions);
    const rows = store.db.selectFrom('tasks').select('id').where('id', '=', 'own');
    await vi.waitUntil(async () => (await rows.execute()).length === 0, waitOptions);
  });

  it('are listed by account and status, newest first, in pages', async () => {
    const tasks = await open();
    const at = clock.now() + 50_000;
    for (const n of [1, 2, 3, 4])
      await tasks.submit(newTask(`p${n}`, at + (n > 2 ? 1 : 0), { accountId: n === 4 ? 'other' : 'pages' }));
    const all = await tasks.search({ accountId: 'pages' }, 2);
    expect(all.map((task) => task.id)).toEqual(['p3', 'p2']);
    const rest = await tasks.search({ accountId: 'pages' }, 2, all[1]);
    expect(rest.map((task) => task.id)).toEqual(['p1']);
    expect(await tasks.search({ accountId: 'pages', status: 'EXPIRED' }, 2)).toEqual([]);
    await tasks.idle(2_000);
  });

  it('announce their end only to callers that requested it, in the transaction that ends them', async () => {
    const [kept, announced]: [string[], string[]] = [[], []];
    let isFull = true;
    const tasks = await open({
      events: {
        insert: async (trx, ended) => {
          const ids = ended.map((task) => task.id);
          const rows = await trx
            .selectFrom('tasks')
            .select(['id', 'status'])
            .where('id', 'in', ids)
            .execute();
          kept.push(...rows.map((row) => `${row.id} ${row.status}`));
          // The database rejects the event, and with it the end of the task.
          if (isFull) await sql`select 1 / 0`.execute(trx);
        },
        wake: (ended) => announced.push(...ended.map((task) => task.id)),
      },
    });
    await tasks.submit(newTask('silent', clock.now()));
    await tasks.submit(newTask('asked', clock.now(), { webhookUrl: 'https://a.test/' }));
    await tasks.idle(2_000);
    await clock.advance(limits.poll_ms);
    await tasks.idle(2_000);
    expect(await statusOf(tasks, 'silent')).toBe('SUCCESS');
    expect(await statusOf(tasks, 'asked')).toBe('RUNNING');
    isFull = false;
    await vi.waitUntil(async () => (await statusOf(tasks, 'asked')) === 'SUCCESS', waitOptions);
    expect(new Set(kept)).toEqual(new Set(['asked SUCCESS']));
    // Announced even after a failed transaction: it may have committed after all.
    expect(announced).toEqual(kept.map(() => 'asked'));
  });

  it('continue where a killed process stopped, and ignore later writes of that process', async () => {
    const first = await open();
    const { begun, gate } = stopAt('settle');
    await first.submit(newTask('lives on', clock.now()));
    await first.idle(2_000);
    await clock.advance(limits.poll_ms);
    await begun;
    const heir = fakeWork();
    const second = await open({ work: heir });
    await vi.waitUntil(async () => (await statusOf(second, 'lives on')) === 'SUCCESS', waitOptions);
    expect([...heir.jobs]).toEqual([]);
    expect(heir.settled.get('req_lives on')).toEqual(success);
    const before = await second.findAny('lives on');
    gate.resolve();
    await first.idle(2_000);
    expect(await second.findAny('lives on')).toEqual(before);
  });

  it('are picked up when no process knows that they are due', async () => {
    const lame = await open();
    const { begun } = stopAt('start');
    await lame.submit(newTask('left-over', clock.now()));
    await begun;
    // With several processes, a process does not take over tasks without an owner right away at its start.
    const finder = fakeWork();
    await open({ work: finder, instances: sharedInstance('gw_finder') });
    const forsake = store.db.updateTable('tasks').set({ holder: null }).where('holder', '!=', 'gw_finder');
    await vi.waitUntil(async () => {
      // On a slow machine the first process may just look for due tasks, and would take it back.
      await forsake.execute();
      return finder.jobs.has('left-over');
    }, waitOptions);
  });

  it('continue only where another process has died', async () => {
    const [dead, alive] = [fakeWork(), fakeWork()];
    const stops = [stopAt('start', dead), stopAt('start', alive)];
    const first = await open({ instances: sharedInstance('gw_dead'), work: dead });
    await first.submit(newTask('orphan', clock.now()));
    await stops[0]?.begun;
    const second = await open({ instances: sharedInstance('gw_alive'), work: alive });
    await second.submit(newTask('looked after', clock.now()));
    await stops[1]?.begun;
    await open({ instances: sharedInstance('gw_heir', (other) => other === 'gw_dead') });
    await vi.waitUntil(() => work.jobs.has('orphan'), waitOptions);
    expect([...work.jobs.keys()]).toEqual(['orphan']);
  });

  it('continue by themselves after a database outage, and are rejected during it', async () => {
    const tasks = await open();
    const { begun, gate } = stopAt('start');
    await tasks.submit(newTask('patient', clock.now()));
    await begun;
    await link.stop();
    gate.resolve();
    await expect(tasks.submit(newTask('refused', clock.now()))).rejects.toThrow();
    await tasks.idle(2_000);
    link.start();
    await vi.waitUntil(async () => (await statusOf(tasks, 'patient')) === 'RUNNING', waitOptions);
    await clock.advance(limits.poll_ms);
    await tasks.idle(2_000);
    expect(await statusOf(tasks, 'patient')).toBe('SUCCESS');
    expect(await tasks.findAny('refused')).toBeNull();
    // A job that was already started is requested again, by its key.
    expect([...work.jobs.keys()]).toEqual(['patient']);
  });

  it('end without starting when they were stored although the caller got an error', async () => {
    const tasks = await open({ db: losingCommits(store.db) });
    await expect(tasks.submit(newTask('doubtful', clock.now()))).rejects.toThrow('the connection broke');
    await vi.waitUntil(async () => (await statusOf(tasks, 'doubtful')) === 'FAILED', waitOptions);
    expect(work.jobs.size).toBe(0);
  });
});

/** The same database, whose transactions commit but report a broken connection. */
function losingCommits(db: Kysely<Database>): Kysely<Database> {
  const lost: Pick<TransactionBuilder<Database>, 'execute'> = {
    execute: async (act) => {
      await db.transaction().execute(act);
      throw Object.assign(new Error('the connection broke'), { code: 'ECONNRESET' });
    },
  };
  return new Proxy(db, {
    get: (_, name) => {
      if (name === 'transaction') return () => lost;
      const value: unknown = Reflect.get(db, name, db);
      return typeof value === 'function' ? value.bind(db) : value;
    },
  });
}
