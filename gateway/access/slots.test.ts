import fc from 'fast-check';
import { expect, it } from 'vitest';
import { TestClock } from '../clock.ts';
import { createMemorySlots, type Slot } from './slots.ts';

function newSlots(clock = new TestClock(), ttlMs = 1000) {
  let ids = 0;
  return createMemorySlots(clock, () => `slot-${++ids}`, ttlMs);
}

it('gives a user as many slots as the cap and not one more', async () => {
  const slots = newSlots();
  const taken = await Promise.all([1, 2, 3, 4].map(() => slots.take('u', 3)));
  expect(taken.map((slot) => slot !== null)).toEqual([true, true, true, false]);
  expect(await slots.take('other', 3)).not.toBeNull();
});

it('counts a second release of the same slot only once', async () => {
  const slots = newSlots();
  const first = await slots.take('u', 2);
  await slots.take('u', 2);
  await first?.release();
  await first?.release();
  expect(await slots.held('u')).toBe(1);
});

it('lists only users with requests in flight', async () => {
  const clock = new TestClock();
  const slots = newSlots(clock, 1000);
  await slots.take('forgotten', 1);
  await clock.advance(1001);
  await slots.take('b', 3);
  await slots.take('b', 3);
  const gone = await slots.take('c', 3);
  await gone?.release();
  await slots.take('a', 3);
  expect(await slots.all()).toEqual([
    { userId: 'a', held: 1 },
    { userId: 'b', held: 2 },
  ]);
});

it('forgets slots that are older than any request can be', async () => {
  const clock = new TestClock();
  const slots = newSlots(clock, 600_000);
  await slots.take('u', 1);
  await clock.advance(500_000);
  expect(await slots.take('u', 1)).toBeNull();
  await clock.advance(100_001);
  expect(await slots.take('u', 1)).not.toBeNull();
});

it('holds exactly the slots that were taken and not released, in any order', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.record({ take: fc.boolean(), user: fc.constantFrom('a', 'b'), pick: fc.nat() })),
      async (steps) => {
        const slots = newSlots(new TestClock(), 3_600_000);
        const held: Record<string, Slot[]> = { a: [], b: [] };
        for (const { take, user, pick } of steps) {
          const mine = held[user] ?? [];
          if (take) {
            const slot = await slots.take(user, 3);
            expect(slot === null).toBe(mine.length === 3);
            if (slot !== null) mine.push(slot);
          } else if (mine.length > 0) {
            await mine.splice(pick % mine.length, 1)[0]?.release();
          }
          expect(await slots.held(user)).toBe(mine.length);
        }
      },
    ),
  );
});
