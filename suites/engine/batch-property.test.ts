import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runBatchProperty } from './batch-property.ts';
import type { PropertyFacts } from './property.ts';
import type { Reach } from './widest.ts';

/** A property over numbers that fails for all above `limit`. */
async function run(
  limit: number,
  path: string | null = null,
  reachOf?: (value: number) => Reach,
): Promise<{ batches: number[][]; facts: PropertyFacts | null; error: unknown }> {
  const batches: number[][] = [];
  let facts: PropertyFacts | null = null;
  const error = await runBatchProperty({
    arbitrary: fc.nat({ max: 10_000 }),
    tryAll: async (values) => {
      batches.push([...values]);
      return values.map((value) => (value > limit ? new Error(`${value} is too much`) : null));
    },
    seed: 42,
    path,
    runs: 20,
    examples: [7],
    shrinkMs: 10_000,
    ...(reachOf === undefined ? {} : { reachOf }),
    report: (reported) => {
      facts = reported;
    },
  }).catch((reason: unknown) => reason);
  return { batches, facts, error };
}

describe('a property whose cases run together', () => {
  it('runs all cases at once, the examples first', async () => {
    const { batches, facts, error } = await run(10_000);
    expect(error).toBeUndefined();
    expect(batches).toHaveLength(1);
    expect(batches[0]).toHaveLength(21);
    expect(batches[0]?.[0]).toBe(7);
    expect(facts).toMatchObject({ runs: 21, path: null });
  });

  it('shrinks the first failing case alone', async () => {
    const { batches, facts, error } = await run(500);
    expect(error).toEqual(new Error('501 is too much'));
    expect(batches.slice(1).every((batch) => batch.length === 1)).toBe(true);
    expect(facts).toMatchObject({ input: '501' });
  });

  it('chooses the cases that reach most, and a failing one can be replayed by its path', async () => {
    const thousands = (value: number): Reach => ({ cells: [String(Math.floor(value / 1000))], calls: 1 });
    const { batches, facts, error } = await run(9_500, null, thousands);
    const [first] = batches;
    expect(first).toHaveLength(21);
    expect(new Set(first?.map((value) => thousands(value).cells[0])).size).toBeGreaterThanOrEqual(10);
    expect(error).toBeInstanceOf(Error);
    const replayed = await run(9_500, facts?.path, thousands);
    expect(replayed.batches).toHaveLength(1);
    expect(replayed.error).toEqual(error);
  });
});
