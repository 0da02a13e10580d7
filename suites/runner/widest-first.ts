import { type CheckFacts, clockRank } from '../engine/check.ts';

/**
 * Orders checks so that a run that stops early has judged as many rules as possible. Each next check covers most uncovered
 * rules for its cost. When all rules are covered, this begins again with the remaining checks. Checks that move the clock go
 * last, since nothing runs beside them.
 * @param compare orders equal checks
 * @param costOf the cost of a check in the unit that may run out, above 0
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

/** The check with most uncovered rules for its cost, the first of equals; null when none covers a new rule. */
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
