import { expect, it } from 'vitest';
import { fittingSize } from './plan.ts';
import { boundsReached } from './plan-text.ts';

const plan = { exchanges: 100, tokens: 5_000, usd: '2.000000000001', ms: 120_000 };

it.each([
  [{}, []],
  [{ exchanges: 100, tokens: 5_000, usd: '2.000000000001', minutes: 2 }, []],
  [{ exchanges: 99 }, ['exchanges=99']],
  [{ exchanges: 200, tokens: 4_999, usd: '2', minutes: 1.5 }, ['tokens=4999', 'usd=2', 'minutes=1.5']],
])('lets the limits %o end a run early at %o', (budget, reached) => {
  expect(boundsReached(plan, budget)).toEqual(reached);
});

it.each([
  [{ full: false }, undefined, 'quick'],
  [{ full: false }, 2, 'quick'],
  [{ full: false }, 1, 'smoke'],
  [{ full: false, size: 'quick' as const }, 1, 'quick'],
  [{ full: true }, 1, 'full'],
])('selects, with %o and %s minutes, the size that fits', (words, minutes, size) => {
  expect(fittingSize(words, minutes, () => plan)).toBe(size);
});
