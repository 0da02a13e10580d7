import type { Check } from '../engine/check.ts';

/**
 * The checks in an order in which a run that stops early has judged as many rules as it can: each next one covers most
 * rules that none before it covers, for what it costs. When all rules are covered, the same begins anew with the checks
 * that are left. Those that move the clock go last, since nothing runs beside them.
 * @param compare puts the first of two equals first
 * @param costOf what a check takes of that which may run out, above 0
 */
export function widestFirst(
  checks: readonly Check[],
  compare: (a: Check, b: Check) => number,
  costOf: (check: Check) => number = () => 1,
): Check[] {
  const still = checks.filter(({ clock }) => clock !== 'jump');
  const jumps = checks.filter(({ clock }) => clock === 'jump');
  return [still, jumps].flatMap((some) => rounds(some.toSorted(compare), costOf));
}

function rounds(checks: readonly Check[], costOf: (check: Check) => number): Check[] {
  const left = new Set(checks);
  const ordered: Check[] = [];
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
function widestOf(
  checks: Iterable<Check>,
  covered: ReadonlySet<string>,
  costOf: (check: Check) => number,
): Check | null {
  let widest: Check | null = null;
  let max = 0;
  for (const check of checks) {
    const fresh = check.requirements.filter((id) => !covered.has(id)).length / costOf(check);
    if (fresh > max) [widest, max] = [check, fresh];
  }
  return widest;
}
