import { createRng } from '../../suites/values/seed.ts';
import type { SourceMutant } from './source-mutant.ts';

/**
 * The mutants that a seed draws. Operators take turns, in an order of the seed, so that the thousands of one operator do
 * not crowd out the dozens of another. A smaller sample of the same seed is the beginning of a larger one.
 */
export function drawSample(
  mutants: readonly SourceMutant[],
  { seed, count, suits }: { seed: number; count: number; suits: (mutant: SourceMutant) => boolean },
): SourceMutant[] {
  const rng = createRng(seed, 'examine');
  const operators = rng.shuffle([...new Set(mutants.map(({ operator }) => operator))].toSorted());
  const open = operators.map((operator) => mutants.filter((mutant) => mutant.operator === operator));
  const drawn: SourceMutant[] = [];
  while (drawn.length < count && open.some((rest) => rest.length > 0)) {
    for (const rest of open) {
      if (rest.length === 0 || drawn.length === count) continue;
      const [mutant] = rest.splice(rng.int(rest.length), 1);
      if (mutant !== undefined && suits(mutant)) drawn.push(mutant);
    }
  }
  return drawn;
}
