import { expect, it } from 'vitest';
import { TestClock } from '../clock.ts';
import { InFlight } from './in-flight.ts';

const never = (): Promise<never> => new Promise(() => {});
const isOver = async (one: Promise<unknown>): Promise<boolean> => {
  let over = false;
  void one.then(() => {
    over = true;
  });
  await new Promise((resolve) => setImmediate(resolve));
  return over;
};

it('settles at once when nothing is in flight', async () => {
  expect(await isOver(new InFlight().settled(new TestClock(), 1_000, 100))).toBe(true);
});

it('waits for work in flight and the work that this begins, even after failures', async () => {
  const [all, first, second] = [new InFlight(), Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  all.add(
    first.promise.then(() => all.add(second.promise, 'full')),
    'full',
  );
  const settled = all.settled(new TestClock(), 60_000, 100);
  expect(await isOver(settled)).toBe(false);
  first.resolve();
  expect(await isOver(settled)).toBe(false);
  second.reject(new Error('failed'));
  expect(await isOver(settled)).toBe(true);
});

it('waits for hanging work only once, and only briefly for work likely to hang', async () => {
  const [clock, all] = [new TestClock(), new InFlight()];
  all.add(never(), 'short');
  const short = all.settled(clock, 60_000, 10_000);
  await clock.advance(9_000);
  expect(await isOver(short)).toBe(false);
  await clock.advance(1_000);
  expect(await isOver(short)).toBe(true);
  all.add(never(), 'full');
  const full = all.settled(clock, 60_000, 10_000);
  await clock.advance(59_000);
  expect(await isOver(full)).toBe(false);
  await clock.advance(1_000);
  expect(await isOver(full)).toBe(true);
  expect(await isOver(all.settled(clock, 60_000, 10_000))).toBe(true);
  expect(clock.nextDue()).toBeNull();
});
