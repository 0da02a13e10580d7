import type { CheckFacts } from '../engine/check.ts';
import type { RunFacts } from '../runner/assemble-report.ts';

/** What a report has to know of all checks, selected or not. */
export function suiteFacts(checks: readonly CheckFacts[]): Pick<RunFacts, 'knownCheckIds' | 'coveredIds'> {
  return {
    knownCheckIds: checks.map(({ id }) => id),
    coveredIds: new Set(checks.flatMap(({ requirements }) => requirements)),
  };
}
