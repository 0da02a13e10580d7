import type { Verdict } from 'gatecheck-reports/report';
import { isSameMember } from '../engine/distinct-violations.ts';
import type { CheckRecord } from '../engine/parts/check-record.ts';
import { type Register, requirementOf } from '../rules/register.ts';
import type { Finding } from '../rules/violation.ts';

/** How a check ended; `finding` is the finding that it threw. */
export interface Outcome {
  readonly verdict: Verdict;
  readonly finding: Finding | null;
  readonly missing: string[];
}

/**
 * The verdict on everything that a check saw, with the findings that explain it. Violations found on the way count even when
 * the check could not continue. Of advice only the first is shown.
 */
export function conclude(
  register: Register,
  { violations, advice }: Pick<CheckRecord, 'violations' | 'advice'>,
  { verdict, finding }: Outcome,
): { readonly verdict: Verdict; readonly findings: readonly Finding[] } {
  const thrown = finding !== null && verdict !== 'harness-error' ? [finding] : [];
  const broken = [
    ...thrown,
    ...violations.filter((one) => !thrown.some((known) => isSameMember(known, one))),
  ];
  const failing = broken.filter((one) => verdictOf(one, register) === 'fail');
  if (failing.length > 0) return { verdict: 'fail', findings: failing };
  if (verdict === 'harness-error') return { verdict, findings: finding === null ? [] : [finding] };
  const [lesser = advice[0]] = broken;
  if (lesser === undefined) return { verdict, findings: [] };
  if (verdict !== 'pass') return { verdict, findings: [lesser] };
  return {
    verdict: broken.length > 0 ? verdictOf(lesser, register) : adviceVerdict(lesser, register),
    findings: [lesser],
  };
}

/** A broken MUST fails, ignored advice warns, and optional behaviour is only recorded. */
export function verdictOf(finding: Pick<Finding, 'requirement'>, register: Register): Verdict {
  const { level } = requirementOf(register, finding.requirement);
  return level === 'SHOULD' ? 'warn' : level === 'MAY' ? 'observed' : 'fail';
}

/**
 * Advice never fails a check, not even when it concerns a MUST. The specification leaves the point open, and one
 * answer is better.
 */
function adviceVerdict(finding: Finding, register: Register): Verdict {
  return verdictOf(finding, register) === 'observed' ? 'observed' : 'warn';
}
