import { expect, it } from 'vitest';
import { StackClock } from '../../engine/clock-control.ts';
import type { CheckParts } from '../../engine/parts/check-parts.ts';
import { collecting, type Finding, Untestable, Violation } from '../../rules/violation.ts';
import { createTestParts } from '../../testing/create-test-parts.ts';
import { sideBySide, triedInRounds, triedSideBySide } from './side-by-side.ts';

/** Parts with two tenants and a movable clock. */
function stage(): { readonly parts: CheckParts; readonly movedMs: () => number } {
  let movedMs = 0;
  const reading = () => ({ now_ms: Date.now() + movedMs, next_due_ms: null });
  const clock = new StackClock([
    {
      read: async () => reading(),
      advance: async (ms) => {
        movedMs += ms;
        return reading();
      },
    },
  ]);
  return { parts: createTestParts({}, { clock }), movedMs: () => movedMs };
}

const violation = (aspect: string): Violation =>
  new Violation({ requirement: 'R-1', aspect, expected: 'a', actual: 'b' });

it('gives each tenant its share of the items, with its own draws and scenes, the same each time', async () => {
  const shares = async (): Promise<string[]> => {
    const seen: string[] = [];
    await triedSideBySide(stage().parts, ['a', 'b', 'c', 'd'], async ({ rng, newScene, tenants }, item) => {
      expect(tenants).toHaveLength(1);
      seen.push(`${item} ${newScene().marker} ${rng.hex(6)}`);
    });
    return seen.toSorted();
  };
  const first = await shares();
  expect(new Set(first.map((line) => line.split(' ')[1])).size).toBe(4);
  expect(await shares()).toEqual(first);
});

it('lets all tenants wait for the same time', async () => {
  const { parts, movedMs } = stage();
  await triedSideBySide(parts, [1, 2, 3, 4], ({ clock }) => clock.elapse(100_000));
  // Two rounds of two tenants, not four waits in a row.
  expect(Math.round(movedMs() / 10_000)).toBe(20);
});

it('returns the violation of each item and continues, but throws any other error', async () => {
  const { parts } = stage();
  const work = async (_: CheckParts, item: string): Promise<void> => {
    if (item !== 'good') throw violation(item);
  };
  const items = ['bad', 'good', 'worse'];
  const found = await triedSideBySide(parts, items, work);
  expect(found.map((one) => one?.finding.aspect ?? null)).toEqual(['bad', null, 'worse']);
  const told: Finding[] = [];
  await collecting(
    (finding) => told.push(finding),
    () => sideBySide(parts, items, work),
  );
  expect(told.map(({ aspect }) => aspect)).toEqual(['bad', 'worse']);
  const ends = triedSideBySide(parts, items, () => Promise.reject(new Untestable('keys.K2')));
  await expect(ends).rejects.toEqual(new Untestable('keys.K2'));
});

it('tries items with different marks at once, then the common work of the round', async () => {
  const { parts } = stage();
  const log: string[] = [];
  const items = ['a1', 'a2', 'b1', 'a3', 'b2'];
  const found = await triedInRounds(parts, items, (item) => item.slice(0, 1), {
    each: async ({ clock }, item, nth) => {
      log.push(`${item} as ${nth}`);
      await clock.elapse(10);
      if (item === 'a1') throw violation('each');
    },
    all: async (_, round) => {
      log.push(round.join(' and '));
      if (round.includes('a2')) throw violation('all');
    },
  });
  expect(log.toSorted()).toEqual(
    ['a1 as 0', 'b1 as 1', 'a1 and b1', 'a2 as 0', 'b2 as 1', 'a2 and b2', 'a3 as 0', 'a3'].toSorted(),
  );
  expect(log.indexOf('a1 and b1')).toBeGreaterThan(log.indexOf('b1 as 1'));
  expect(found.map((one) => one?.finding.aspect ?? null)).toEqual(['each', 'all', null, null, 'all']);
});
