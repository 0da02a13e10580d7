import { failuresOf } from 'gatecheck-reports/failures-of';
import type { Report } from 'gatecheck-reports/report';

/** What one run has of a check or a rule: its verdict, and why. */
type Seen = readonly [id: string, words: string];

/** A check or a rule that runs with different seeds have judged differently: each outcome with its seeds. */
export interface Difference {
  readonly id: string;
  readonly outcomes: ReadonlyMap<string, readonly number[]>;
}

/** The checks and rules whose verdict, or whose missing facts, are not the same in all reports. */
export function differingVerdicts(
  reports: readonly Pick<Report, 'seed' | 'checks' | 'requirements'>[],
): Difference[] {
  const byId = new Map<string, Map<string, number[]>>();
  for (const report of reports)
    for (const [id, words] of seenIn(report)) {
      const outcomes = byId.get(id) ?? new Map<string, number[]>();
      outcomes.set(words, [...(outcomes.get(words) ?? []), report.seed]);
      byId.set(id, outcomes);
    }
  return [...byId].flatMap(([id, outcomes]) => (outcomes.size > 1 ? [{ id, outcomes }] : []));
}

function seenIn({ checks, requirements }: Pick<Report, 'checks' | 'requirements'>): Seen[] {
  return [
    ...checks.map((check): Seen => {
      const why = check.not_run ?? [...check.evidence.missing].sort().join(' and ');
      const [first] = failuresOf(check);
      const found = first === undefined ? '' : `${first.requirement} ${first.aspect}: ${first.actual}`;
      return [check.id, [check.verdict, why, found].filter((word) => word !== '').join(' ')];
    }),
    ...requirements.map(({ id, verdict }): Seen => [id, verdict]),
  ];
}
