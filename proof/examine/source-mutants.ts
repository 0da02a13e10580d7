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

/** Whether Node can read the file with the mutant in it: a sample has no use for one that it cannot. */
export function canBeRead({ file, find, replace }: SourceMutant, sources: readonly SourceFile[]): boolean {
  const text = sources.find(({ path }) => path === file)?.text ?? '';
  return isReadable(text.replace(find, () => replace));
}
