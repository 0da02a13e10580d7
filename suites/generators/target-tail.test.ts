import fc from 'fast-check';
import { expect, it } from 'vitest';
import { targetTail, usualTails } from './target-tail.ts';

it('draws only tails that a URL parser leaves unchanged', () => {
  const base = 'https://127.0.0.1:8443/in-1';
  const isKept = (tail: string): boolean => new URL(base + tail).href === base + tail;
  for (const tail of usualTails) expect(isKept(tail), tail).toBe(true);
  fc.assert(fc.property(targetTail, isKept), { seed: 5, numRuns: 1_000 });
});
