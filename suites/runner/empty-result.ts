import type { CheckResult, Verdict } from 'gatecheck-reports/report';
import type { CheckFacts } from '../engine/check.ts';
import { type Register, requirementOf } from '../rules/register.ts';

/** The result of a check that sent nothing: its identity, the verdict, and what was missing. */
export function emptyResult(
  check: Pick<CheckFacts, 'id' | 'title' | 'requirements'>,
  register: Register,
  verdict: Verdict,
  missing: readonly string[],
): CheckResult {
  const row = requirementOf(register, check.requirements[0]);
  return {
    id: check.id,
    title: check.title,
    area: row.area,
    requirements: [...check.requirements],
    level: row.level,
    verdict,
    evidence: { cases: 0, exchanges: 0, cases_digest: '', notes: [], missing: [...missing], property: null },
    duration_ms: 0,
  };
}
