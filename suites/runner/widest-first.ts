import type { Check } from '../engine/check.ts';

/**
 * The checks in an order in which a run that stops early has judged as many rules as it can: each next one covers most
 * rules that none before it covers, the cheapest of equals. When all rules are covered, the same begins anew with the
 * checks that are left. Those that move the clock go last, since nothing runs beside them.
 * @param compare puts the cheaper of two checks first
 */
export function widestFirst(checks: readonly Check[], compare: (a: Check, b: Check) => number): Check[] {
  const still = checks.filter(({ clock }) => clock !== 'jump');
  const jumps = checks.filter(({ clock }) => clock === 'jump');
  return [still, jumps].flatMap((some) => rounds(some.toSorted(compare)));
}

function rounds(checks: readonly Check[]): Check[] {
  const left = new Set(checks);
  const ordered: Check[] = [];
  while (left.size > 0) {
    const covered = new Set<string>();
    for (let next = widestOf(left, covered); next !== null; next = widestOf(left, covered)) {
      left.delete(next);
      ordered.push(next);
      for (const id of next.requirements) covered.add(id);
    }
  }
  return ordered;
}

/** The check with most rules that are not covered, the first of equals; null when none has one. */
function widestOf(checks: Iterable<Check>, covered: ReadonlySet<string>): Check | null {
  let widest: Check | null = null;
  let max = 0;
  for (const check of checks) {
    const fresh = check.requirements.filter((id) => !covered.has(id)).length;
    if (fresh > max) [widest, max] = [check, fresh];
  }
  return widest;
}
