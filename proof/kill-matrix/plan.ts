import type { Check } from '../../suites/engine/check.ts';
import type { Mutant } from '../edits/mutant.ts';
import type { KnownKills } from './known-kills.ts';

/** A mutant and the checks that run on it. */
export interface Pairing {
  readonly mutant: Mutant;
  readonly checks: readonly Check[];
}

/** The cost of running a mutant, cheapest first: a path of a proxy, a tenant, a separate gateway. */
const costs: Readonly<Record<Mutant['kind'], number>> = { front: 0, upstream: 1, source: 2 };

/** The checks that can kill the mutant: they cover its requirement, and its defect is visible to them. */
export function judgesOf(mutant: Mutant, checks: readonly Check[]): Check[] {
  return checks.filter(
    (check) => check.requirements.includes(mutant.requirement) && !(check.raw && mutant.kind === 'front'),
  );
}

/** Every mutant that some of the checks can kill, with all of those checks. */
export function planAll(mutants: readonly Mutant[], checks: readonly Check[]): Pairing[] {
  return mutants
    .map((mutant) => ({ mutant, checks: judgesOf(mutant, checks) }))
    .filter((pairing) => pairing.checks.length > 0);
}

/**
 * Selects few mutants, so that each check gets `each` new ones if there are as many.
 * It always takes the mutant that serves most checks. Separate gateways are used only when nothing else serves.
 * `guess` names the mutants that probably kill a check, which are tried first.
 * A requirement only says which mutants a check may kill. For checks that killed none, plan again with `met`.
 */
export function planFew(
  mutants: readonly Mutant[],
  checks: readonly Check[],
  met: ReadonlySet<string>,
  each: number,
  guess: KnownKills = new Map(),
): Pairing[] {
  const wanted = new Map(checks.map((check) => [check.id, each]));
  const ids = new Set(mutants.map((mutant) => mutant.id));
  const guessed = (check: Check): readonly string[] =>
    (guess.get(check.id) ?? []).filter((id) => ids.has(id));
  const worthwhile = (mutant: Mutant, check: Check): boolean =>
    !met.has(pairKey(targetOf('mutant', mutant.id), check.id)) &&
    (guessed(check).length === 0 || guessed(check).includes(mutant.id));
  const open = mutants.map((mutant) => ({
    mutant,
    judges: judgesOf(mutant, checks).filter((check) => worthwhile(mutant, check)),
  }));
  const plan: Pairing[] = [];
  for (;;) {
    const serving = open.map(({ mutant, judges }) => ({
      mutant,
      checks: judges.filter((check) => (wanted.get(check.id) ?? 0) > 0),
    }));
    const best = serving.reduce<Pairing | null>(
      (known, next) => (isBetter(next, known) ? next : known),
      null,
    );
    if (best === null) return plan;
    plan.push(best);
    for (const check of best.checks) wanted.set(check.id, (wanted.get(check.id) ?? 0) - 1);
    open.splice(
      open.findIndex(({ mutant }) => mutant === best.mutant),
      1,
    );
  }
}

/** The gateways of a proof by name. */
export const referenceTarget = 'reference';
export const targetOf = (kind: 'mutant' | 'variant', id: string): string => `${kind}:${id}`;

/** One check on one gateway, as a key. */
export function pairKey(target: string, check: string): string {
  return `${target} ${check}`;
}

function isBetter(next: Pairing, known: Pairing | null): boolean {
  if (next.checks.length === 0) return false;
  if (known === null) return true;
  const ownGateways = Number(next.mutant.kind === 'source') - Number(known.mutant.kind === 'source');
  if (ownGateways !== 0) return ownGateways < 0;
  const gain = next.checks.length - known.checks.length;
  return gain !== 0 ? gain > 0 : costs[next.mutant.kind] < costs[known.mutant.kind];
}

/**
 * Divides a plan into batches that can run at once: limited tenants for upstream mutants, limited further
 * gateways.
 */
export function inBatches(
  plan: readonly Pairing[],
  limits: { upstream: number; source: number },
): Pairing[][] {
  const batches: Pairing[][] = [[]];
  for (const pairing of plan) {
    const { kind } = pairing.mutant;
    const limit = kind === 'front' ? Number.POSITIVE_INFINITY : limits[kind];
    const room = batches.find((batch) => batch.filter(({ mutant }) => mutant.kind === kind).length < limit);
    if (room) room.push(pairing);
    else batches.push([pairing]);
  }
  return batches;
}
