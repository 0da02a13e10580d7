import { foundBy } from 'gatecheck-reports/failures-of';
import type { CheckResult, Verdict } from 'gatecheck-reports/report';

/** What counts most comes first. */
const byWeight: readonly Verdict[] = ['fail', 'waived', 'flaky', 'warn', 'observed', 'pass'];

/**
 * One result of those that the parts of a run have under one id: of what all exchanges show, each part has seen its own.
 * The worst verdict holds, with all that was found broken: waivers are applied to the whole.
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
