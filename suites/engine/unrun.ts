import type { CheckResult } from '../../reports/report.ts';
import type { Check } from './check.ts';
import { type Register, requirementOf } from './register.ts';

/** The result of a check that never ran: untestable, or a fault of ours when nobody asked to stop. */
export function unrunResult(
  check: Check,
  register: Register,
  why: { reason: string; harness: boolean },
): CheckResult {
  const row = requirementOf(register, check.requirements[0]);
  return {
    id: check.id,
    title: check.title,
    area: row.area,
    requirements: [...check.requirements],
    level: row.level,
    verdict: why.harness ? 'harness-error' : 'untestable',
    evidence: { cases: 0, exchanges: 0, cases_digest: '', notes: [], missing: [why.reason], property: null },
    duration_ms: 0,
  };
}
