import { type CheckFacts, clockRank } from '../engine/check.ts';

/**
 * The checks in an order in which a run that stops early has judged as many rules as it can: each next one covers most
 * rules that none before it covers, for what it costs. When all rules are covered, the same begins anew with the checks
 * that are left. Those that move the clock go last, since nothing runs beside them.
 * @param compare puts the first of two equals first
 * @param costOf what a check takes of that which may run out, above 0
 */
export function widestFirst<C extends CheckFacts>(
  checks: readonly C[],
  compare: (a: C, b: C) => number,
  costOf: (check: C) => number = () => 1,
): C[] {
  const ranks = [...Map.groupBy(checks, clockRank)].toSorted(([a], [b]) => a - b);
  return ranks.flatMap(([, some]) => rounds(some.toSorted(compare), costOf));
}

function rounds<C extends CheckFacts>(checks: readonly C[], costOf: (check: C) => number): C[] {
  const left = new Set(checks);
  const ordered: C[] = [];
  while (left.size > 0) {
    const covered = new Set<string>();
    for (let next = widestOf(left, covered, costOf); next !== null; next = widestOf(left, covered, costOf)) {
      left.delete(next);
      ordered.push(next);
      for (const id of next.requirements) covered.add(id);
    }
  }
  return ordered;
}

/** The check with most rules that are not covered for its cost, the first of equals; null when none has one. */
function widestOf<C extends CheckFacts>(
  checks: Iterable<C>,
  covered: ReadonlySet<string>,
  costOf: (check: C) => number,
): C | null {
  let widest: C | null = null;
  let max = 0;
  for (const check of checks) {
    const fresh = check.requirements.filter((id) => !covered.has(id)).length / costOf(check);
    if (fresh > max) [widest, max] = [check, fresh];
  }
  return widest;
}
