import { allChecks } from '../checks/all-checks.ts';
import type { RunFacts } from '../runner/assemble-report.ts';

/** What a report has to know of all checks, selected or not. */
export function suiteFacts(): Pick<RunFacts, 'knownCheckIds' | 'coveredIds'> {
  return {
    knownCheckIds: allChecks.map(({ id }) => id),
    coveredIds: new Set(allChecks.flatMap(({ requirements }) => requirements)),
  };
}
