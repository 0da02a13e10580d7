import { foundBy } from 'gatecheck-reports/failures-of';
import type { CheckResult, Verdict } from 'gatecheck-reports/report';

/** The most serious verdict first. */
const byWeight: readonly Verdict[] = ['fail', 'waived', 'flaky', 'warn', 'observed', 'pass'];

/**
 * Merges the results of all parts under one id: each part has judged only its own exchanges. The worst verdict holds, with
 * all violations: waivers apply to the whole.
 */
export function mergedRows(results: readonly [CheckResult, ...CheckResult[]]): CheckResult {
  const weight = ({ verdict }: CheckResult): number => {
    const place = byWeight.indexOf(verdict);
    return place < 0 ? byWeight.length : place;
  };
  const ordered = results.toSorted((one, other) => weight(one) - weight(other));
  const [worst = results[0]] = ordered;
  const [failure, ...also] = ordered.flatMap(foundBy);
  const { failure: _failure, also: _also, accepted: _accepted, ...rest } = worst;
  return {
    ...rest,
    evidence: {
      ...worst.evidence,
      cases: results.reduce((sum, { evidence }) => sum + evidence.cases, 0),
      notes: results.flatMap(({ evidence }) => evidence.notes),
    },
    ...(failure === undefined ? {} : { failure }),
    ...(also.length === 0 ? {} : { also }),
  };
}
