import { describe, expect, it } from 'vitest';
import type { Check } from '../../../suites/engine/check.ts';
import type { JobResult, JobTarget } from '../../../suites/runner/run-input.ts';
import type { Bench } from '../bench/bench.ts';
import { shortFirst } from '../examine.ts';
import type { Look } from '../subject-progress.ts';
import { lookAlone } from './look-alone.ts';

const [target, reference] = ['mutant', 'reference'].map((id) => ({ id }) as JobTarget) as [
  JobTarget,
  JobTarget,
];
const checks = ['a', 'b', 'c', 'd'].map((id) => ({ id }) as Check);

/** Runs a first round in which each check takes a second. `fails` decides by check, gateway and repetition. */
async function look(
  fails: (check: string, on: string, time: number) => boolean,
  limitMs = 60_000,
): Promise<{ found: Look; ran: string[] }> {
  const ran: string[] = [];
  let clock = 0;
  const bench: Bench = {
    judge: async ({ id: on }, check) => {
      clock += 1_000;
      ran.push(`${check} ${on}`);
      const time = ran.filter((one) => one === `${check} ${on}`).length;
      return { id: check, target: on, verdict: fails(check, on, time) ? 'fail' : 'pass' } as JobResult;
    },
    withdraw: () => undefined,
    signal: new AbortController().signal,
  };
  const found = await lookAlone({ target, reference, checks, bench, limitMs, now: () => clock });
  return { found, ran };
}

describe('the first round', () => {
  it('ends with the first check that fails twice while the reference passes', async () => {
    const { found, ran } = await look((check, on) => check === 'b' && on === 'mutant');
    expect(found.kill).toMatchObject({ check: 'b' });
    expect(ran).not.toContain('d mutant');
  });

  it('continues after a failure that does not recur, or that also occurs on the reference', async () => {
    const { found } = await look(
      (check, on, time) => (check === 'a' && on === 'mutant' && time === 1) || check === 'c',
    );
    expect(found).toMatchObject({ kill: null, judged: 4 });
    expect(found.unsteady).toHaveLength(2);
  });

  it('ends at its time limit', async () => {
    const { found, ran } = await look(() => false, 2_000);
    expect(found).toMatchObject({ kill: null, judged: 2 });
    expect(ran).toEqual(['a mutant', 'b mutant']);
  });
});

it('puts slow checks and those that move the clock last', () => {
  const some = [{ id: 'slow' }, { id: 'jumps', clock: 'jump' }, { id: 'quick' }, { id: 'new' }] as Check[];
  const ms: Record<string, number> = { slow: 30_000, jumps: 100, quick: 500 };
  expect(shortFirst(some, (id) => ms[id] ?? 0).map(({ id }) => id)).toEqual([
    'quick',
    'new',
    'slow',
    'jumps',
  ]);
});
