import { expect, it } from 'vitest';
import { inLockstep } from './lockstep.ts';

/** A clock that only moves when it is moved, and remembers by how much. */
function fakeClock(): { now: () => number; elapse: (ms: number) => Promise<void>; jumps: number[] } {
  let now = 0;
  const jumps: number[] = [];
  return {
    now: () => now,
    elapse: async (ms) => {
      jumps.push(ms);
      now += ms;
    },
    jumps,
  };
}

it('moves the clock once for all that wait, each time to the earliest that somebody waits for', async () => {
  const clock = fakeClock();
  const order: string[] = [];
  const timeline = (name: string, ...times: number[]) => {
    return async (time: { until(ms: number): Promise<void>; now(): number }) => {
      for (const at of times) {
        await time.until(at);
        order.push(`${name} at ${time.now()}`);
      }
    };
  };
  await inLockstep(clock, [timeline('a', 10, 30), timeline('b', 10, 20), timeline('c')]);
  expect(order).toEqual(['a at 10', 'b at 10', 'b at 20', 'a at 30']);
  expect(clock.jumps).toEqual([10, 10, 10]);
});

it('lets no time pass while somebody still does something', async () => {
  const clock = fakeClock();
  const work = Promise.withResolvers<void>();
  let seen = -1;
  const all = inLockstep(clock, [
    (time) => time.until(5),
    async (time) => {
      await work.promise;
      await time.until(3);
      seen = time.now();
    },
  ]);
  await new Promise((resolve) => setImmediate(resolve));
  expect(clock.now()).toBe(0);
  work.resolve();
  await all;
  expect(seen).toBe(3);
});

it('goes on for the others when one of them fails, and fails all when the clock does', async () => {
  const clock = fakeClock();
  const failing = async (): Promise<void> => {
    throw new Error('no');
  };
  const results = await inLockstep(clock, [failing, (time) => time.until(7)]);
  expect(results.map(({ status }) => status)).toEqual(['rejected', 'fulfilled']);
  const stuck = { now: () => 0, elapse: () => Promise.reject(new Error('the clock is gone')) };
  const broken = await inLockstep(stuck, [(time) => time.until(7), (time) => time.until(8)]);
  expect(broken.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
});
