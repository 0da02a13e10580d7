import { readdirSync } from 'node:fs';
import { areas } from '../../suites/checks/areas.ts';
import type { Mutant } from '../edits/mutant.ts';

/** The mutants of each area, in the order of the areas of checks: all that the files of its folder export. */
export const mutantsByArea: Readonly<Record<string, readonly Mutant[]>> = Object.fromEntries(
  await Promise.all(areas.map(async (area) => [area, await mutantsOf(area)] as const)),
);

/** Every mutant there is. */
export const allMutants: readonly Mutant[] = Object.values(mutantsByArea).flat();

async function mutantsOf(area: string): Promise<readonly Mutant[]> {
  const folder = new URL(`./${area}/`, import.meta.url);
  const files = readdirSync(folder).filter((file) => file.endsWith('.ts'));
  const modules = await Promise.all(
    files.map((file) => import(new URL(file, folder).href) as Promise<object>),
  );
  return [...new Set(modules.flatMap((module) => Object.values(module).flat(2)).filter(isMutant))];
}

function isMutant(value: unknown): value is Mutant {
  return typeof value === 'object' && value !== null && 'aspect' in value && 'kind' in value;
}
