import { describe, expect, it } from 'vitest';
import { allPlanted } from './planted/all-planted.ts';
import { simulate } from './simulation.ts';

const seeds = 300;
/** Seeds that once broke a rule, or showed that the rule itself was wrong. */
const onceBroken = [385, 792, 839, 1025, 1106, 4075, 6932];

describe('a simulated gateway', () => {
  it(`keeps every rule in ${seeds} scenarios`, { timeout: 240_000 }, async () => {
    const broken: string[] = [];
    const sums: Record<string, number> = {};
    for (let seed = 1; seed <= seeds; seed += 1) {
      const { failure, trace, counts } = await simulate(seed);
      for (const [name, count] of Object.entries(counts)) sums[name] = (sums[name] ?? 0) + count;
      if (failure === null) continue;
      const replay = `node gateway/testing/simulation/simulate.ts --seed ${seed}`;
      broken.push(
        [...trace.slice(-40), `seed ${seed}: ${failure.message}`, `  replay: ${replay}`].join('\n'),
      );
    }
    expect(broken).toEqual([]);
    // A simulation in which nothing happens keeps every rule, too.
    for (const name of ['answers', 'tasks', 'events', 'blows']) expect(sums[name]).toBeGreaterThan(seeds / 2);
  });

  it.for(onceBroken)('keeps every rule with seed %i, where one was once broken', async (seed) => {
    expect((await simulate(seed)).failure).toBeNull();
  });

  it('does the same for the same seed, and something else for another', { timeout: 60_000 }, async () => {
    const [one, again, other] = [await simulate(11), await simulate(11), await simulate(12)];
    expect(again.hash).toBe(one.hash);
    expect(again.steps).toBe(one.steps);
    expect(other.hash).not.toBe(one.hash);
  });
});

describe('a planted bug is found', () => {
  it.for(allPlanted.map((planted) => [planted.name, planted] as const))(
    '%s',
    { timeout: 60_000 },
    async ([, planted]) => {
      const { failure } = await simulate(planted.foundBy, { planted });
      expect(failure?.message).toMatch(planted.violates);
      const { failure: without } = await simulate(planted.foundBy);
      expect(without).toBeNull();
    },
  );
});
