import type { Check } from '../../suites/engine/check.ts';
import type { Register } from '../../suites/rules/register.ts';
import { byCost } from '../../suites/runner/cost-of-kind.ts';
import { selectChecks } from '../../suites/runner/select.ts';
import { roundRobin } from '../../suites/values/round-robin.ts';
import type { Mutant } from '../edits/mutant.ts';
import type { KnownKills } from '../kill-matrix/known-kills.ts';
import { areasOf } from './areas.ts';

/**
 * The order of the checks for a mutant of the file. First come checks that have killed a hand-written mutant of the file,
 * then those of the file's areas, then all others, alternating between areas. Within each part the cheap ones come first.
 * Checks that move the clock block all others, so they come last.
 */
export function checksFor(
  file: string,
  { checks, register, killers }: { checks: readonly Check[]; register: Register; killers: Killers },
): Check[] {
  const known = checks.filter(({ id }) => killers.get(file)?.has(id));
  const near = selectChecks(checks, register, areasOf(file).join(',')).filter((one) => !known.includes(one));
  const far = checks.filter((check) => !known.includes(check) && !near.includes(check));
  return [known, near, inTurns(far)].flatMap((part) => part.toSorted(byCost));
}

/** By file of the gateway, the ids of checks that have killed a mutant in it. */
export type Killers = ReadonlyMap<string, ReadonlySet<string>>;

/** The killing checks that earlier proofs recorded for mutants that patch a file. */
export function killersByFile(mutants: readonly Mutant[], kills: KnownKills): Killers {
  const fileOf = new Map(
    mutants.flatMap((mutant) => (mutant.kind === 'source' ? [[mutant.id, mutant.file] as const] : [])),
  );
  const killers = new Map<string, Set<string>>();
  for (const [check, ids] of kills) {
    for (const file of ids.flatMap((id) => fileOf.get(id) ?? []))
      killers.set(file, (killers.get(file) ?? new Set()).add(check));
  }
  return killers;
}

/** One check of each area, then the next of each, so that a limited time covers all areas. */
function inTurns(checks: readonly Check[]): Check[] {
  return roundRobin([...Map.groupBy(checks, ({ id }) => id.split('.')[0]).values()]);
}
