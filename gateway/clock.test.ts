import { expect, it } from 'vitest';
import { RealClock, TestClock } from './clock.ts';

it('fires all timers that a jump passes in due order, each at its own time', async () => {
  const clock = new TestClock();
  const start = clock.now();
  const fired: [string, number][] = [];
  const note = (name: string) => () => fired.push([name, Math.round((clock.now() - start) / 1000)]);
  clock.schedule(3000, note('c'));
  clock.schedule(1000, note('a'));
  clock.schedule(2000, note('b'));
  clock.schedule(9000, note('later'));
  await clock.advance(5000);
  expect(fired).toEqual([
    ['a', 1],
    ['b', 2],
    ['c', 3],
  ]);
});

it('fires timers that are set by a timer within the same jump', async () => {
  const clock = new TestClock();
  let rounds = 0;
  const again = (): void => {
    rounds += 1;
    clock.schedule(1000, again);
  };
  clock.schedule(1000, again);
  await clock.advance(10_500);
  expect(rounds).toBe(10);
});

it('reports the next due time, and forgets cancelled timers', async () => {
  const clock = new TestClock();
  expect(clock.nextDue()).toBeNull();
  const timer = clock.schedule(60_000, () => {});
  expect(clock.nextDue()).toBeGreaterThan(clock.now() + 59_000);
  timer.cancel();
  expect(clock.nextDue()).toBeNull();
});

it('runs with real time between jumps', async () => {
  const clock = new TestClock();
  await clock.advance(1_000_000);
  await clock.sleep(10);
  expect(clock.nextDue()).toBeNull();
});

it.for([new RealClock(), new TestClock()])('rejects a sleep whose signal aborts', async (clock) => {
  const controller = new AbortController();
  const sleep = clock.sleep(60_000, controller.signal);
  controller.abort(new Error('enough'));
  await expect(sleep).rejects.toThrow('enough');
});

it('runs concurrent jumps one after the other', async () => {
  const clock = new TestClock();
  const start = clock.now();
  await Promise.all([clock.advance(1000), clock.advance(1000)]);
  expect(clock.now() - start).toBeGreaterThanOrEqual(2000);
});
