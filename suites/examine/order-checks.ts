import type { Check } from '../engine/check.ts';
import type { Register } from '../rules/register.ts';
import { selectChecks } from '../runner/select.ts';
import { areasOf } from './areas.ts';

/** What a check costs, by how it gets its evidence: cheapest first. */
const kindsByCost: readonly Check['kind'][] = [
  'example',
  'metamorphic',
  'upstream',
  'property',
  'concurrency',
  'timing',
];

/**
 * The checks in the order in which they are to look at a mutant of the file: first those of the file's areas, then all
 * others, an area in turn. The cheap ones go first; those that jump the clock hold up all others, so they go last.
 */
export function checksFor(file: string, checks: readonly Check[], register: Register): Check[] {
  const near = selectChecks(checks, register, areasOf(file).join(','));
  const far = checks.filter((check) => !near.includes(check));
  return [...byCost(near), ...byCost(inTurns(far))];
}

function byCost(checks: readonly Check[]): Check[] {
  return checks.toSorted((a, b) => costOf(a) - costOf(b));
}

function costOf({ kind, clock }: Check): number {
  return (clock === 'jump' ? kindsByCost.length : 0) + kindsByCost.indexOf(kind);
}

/** One check of each area, then the next of each, so that whatever time there is reaches all areas. */
function inTurns(checks: readonly Check[]): Check[] {
  const turns = new Map<string, number>();
  const turnOf = new Map(
    checks.map((check) => {
      const area = check.id.split('.')[0] ?? '';
      const turn = turns.get(area) ?? 0;
      turns.set(area, turn + 1);
      return [check.id, turn];
    }),
  );
  return checks.toSorted((a, b) => (turnOf.get(a.id) ?? 0) - (turnOf.get(b.id) ?? 0));
}
