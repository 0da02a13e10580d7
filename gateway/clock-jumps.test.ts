import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { createMemorySlots } from './access/slots.ts';
import { Guesses } from './admin/guesses.ts';
import { RealClock, steadyClock } from './clock.ts';
import { createReadiness } from './endpoints/health.ts';
import { openStore, type Store } from './store/store.ts';
import type { RunningTasks } from './tasks/create-tasks.ts';
import { ExpiringSet } from './tasks/expiring-set.ts';
import { freshCluster, silentLog } from './testing/store/test-stores.ts';
import { fakeWork, limits, newTask, stillRunning } from './testing/tasks/sample-tasks.ts';
import { TasksBench } from './testing/tasks/tasks-bench.ts';
import { sharedInstance } from './testing/work/test-instances.ts';
import { Receivers } from './webhooks/receivers.ts';

const hour = 3_600_000;

/** Real time, with a wall clock that tests can set. */
class SetClock extends RealClock {
  ahead = 0;
  override now(): number {
    return super.now() + this.ahead;
  }
}

let clock: SetClock;
beforeEach(() => {
  clock = new SetClock();
});

describe.each([
  ['back', -hour],
  ['forward', hour],
] as const)('a wall clock that jumps %s by an hour', (_, jump) => {
  it('moves a steady clock by at most a twentieth of the elapsed time', async () => {
    const steady = steadyClock(clock);
    const before = steady.now();
    clock.ahead = jump;
    expect(Math.abs(steady.now() - before)).toBeLessThan(50);
    await clock.sleep(200);
    expect(Math.abs(steady.now() - before - 200)).toBeLessThan(150);
  });

  it('does not change how long a guessing address is blocked', async () => {
    const guesses = new Guesses({ clock, limits: { free: 1, every_ms: 300 }, onGuesses: () => {} });
    expect(await guesses.judge('192.0.2.1', () => null)).toBeNull();
    clock.ahead = jump;
    const began = performance.now();
    expect(await guesses.judge('192.0.2.1', () => 'right')).toBe('right');
    expect(performance.now() - began).toBeGreaterThan(150);
    expect(performance.now() - began).toBeLessThan(10_000);
  });

  it('does not change how long a slot is kept', async () => {
    const slots = createMemorySlots(clock, () => 'slot', 400);
    await slots.take('u', 1);
    clock.ahead = jump;
    expect(await slots.take('u', 1)).toBeNull();
    await clock.sleep(500);
    expect(await slots.take('u', 1)).not.toBeNull();
  });

  it('does not change how long callbacks and slow receivers are remembered', async () => {
    const seen = new ExpiringSet(10, 400, clock);
    const receivers = new Receivers({ at_once: 8, at_once_each: 4 }, clock);
    seen.add('callback');
    receivers.begin('acc https://slow.test')(true);
    clock.ahead = jump;
    expect(seen.add('callback')).toBe(false);
    expect(receivers.isSlow('acc https://slow.test')).toBe(true);
    await clock.sleep(500);
    expect(seen.add('callback')).toBe(true);
  });

  it('does not change when /readyz checks the database again', async () => {
    let isThere = true;
    const readiness = createReadiness(async () => isThere || Promise.reject(new Error('away')), clock, 0);
    expect(await readiness.reasons()).toEqual([]);
    [clock.ahead, isThere] = [jump, false];
    await clock.sleep(600);
    expect(await readiness.reasons()).toEqual(['database']);
  });

  describe('with a running task', () => {
    let store: Store;
    let fresh: Awaited<ReturnType<typeof freshCluster>>;
    const bench = new TasksBench();
    beforeAll(async () => {
      fresh = await freshCluster();
      store = await openStore({ ...fresh.place, log: silentLog });
    });
    afterEach(() => bench.close());
    afterAll(async () => {
      await store.close();
      await fresh.remove();
    });

    it('changes neither the polls nor the end of the task', async () => {
      const work = fakeWork();
      const steady = steadyClock(clock);
      const tasks = await bench.open({ db: store.db, work, clock: steady, limits });
      work.checks = Array.from({ length: 8 }, () => stillRunning);
      await tasks.submit(newTask(`t${jump}`, steady.now()));
      await vi.waitUntil(async () => (await tasks.findAny(`t${jump}`))?.status === 'RUNNING', 10_000);
      clock.ahead = jump;
      await vi.waitUntil(async () => (await tasks.findAny(`t${jump}`))?.endedAtMs != null, 20_000);
      expect((await tasks.findAny(`t${jump}`))?.status).toBe('SUCCESS');
      expect(work.checks).toEqual([]);
    });

    it('does not keep its task from a process that starts after it', async () => {
      const work = fakeWork();
      work.checks = [stillRunning];
      const slowly = { ...limits, poll_ms: 2_000, poll_most_ms: 2_000, deadline_ms: 3 * hour };
      const open = (name: string) => {
        const instances = sharedInstance(`${name}${jump}`);
        return bench.open({ db: store.db, work, clock: steadyClock(clock), limits: slowly, instances });
      };
      const first = await open('first');
      const task = newTask(`restarted${jump}`, clock.now());
      await first.submit({ ...task, deadlineAtMs: clock.now() + 3 * hour });
      const stateOf = async (tasks: RunningTasks) => (await tasks.findAny(`restarted${jump}`))?.status;
      await vi.waitUntil(
        async () => (await stateOf(first)) === 'RUNNING' && work.checks.length === 0,
        10_000,
      );
      await first.close();
      clock.ahead = jump;
      const second = await open('second');
      await vi.waitUntil(async () => (await stateOf(second)) === 'SUCCESS', 10_000);
    });
  });
});
