import { writeFileSync } from 'node:fs';
import { allMutants } from '../mutants/all-mutants.ts';

/** `npm run generate`: writes what other packages have to know of the defects, so that a change shows up as a diff. */

export const caughtDefects = new URL('../../suites/checks/caught-defects.json', import.meta.url);

/** One defect a line, in the order of the areas. */
export function caughtDefectsText(): string {
  const lines = allMutants.map(({ id, requirement, aspect, title }) =>
    JSON.stringify({ id, requirement, aspect, title }),
  );
  return `[\n${lines.join(',\n')}\n]\n`;
}

if (import.meta.main) writeFileSync(caughtDefects, caughtDefectsText());
