import { createRng } from '../../suites/values/seed.ts';
import { furtherSpots, isReadable, usualSpots } from './further-operators.ts';
import type { SourceFile } from './gateway-sources.ts';
import { mutantAt, type SourceMutant } from './source-mutant.ts';

/** Every mutant of the files, each once, in the order of the files and of their operators. */
export async function allMutantsOf(sources: readonly SourceFile[]): Promise<SourceMutant[]> {
  const found = new Map<string, SourceMutant>();
  for (const source of sources) {
    for (const spot of [...(await usualSpots(source)), ...furtherSpots(source)]) {
      if (source.text.slice(spot.start, spot.end) === spot.replacement) continue;
      const mutant = mutantAt(source.path, source.text, spot);
      if (!found.has(mutant.id)) found.set(mutant.id, mutant);
    }
  }
  return [...found.values()];
}

/** Whether Node can parse the file with the mutant; a sample skips others. */
export function canBeRead({ file, find, replace }: SourceMutant, sources: readonly SourceFile[]): boolean {
  const text = sources.find(({ path }) => path === file)?.text ?? '';
  return isReadable(text.replace(find, () => replace));
}

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
