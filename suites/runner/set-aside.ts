import type { Finding } from '../rules/violation.ts';
import type { Outcome } from './conclude.ts';

/**
 * An outcome without findings that say nothing about the rules of their check: they leave its violations, and a check that could
 * not be judged otherwise is untestable.
 * @param aside these findings, among the violations or as what ended the check
 * @param missing what the check would have needed
 */
export function setAside(
  violations: Finding[],
  outcome: Outcome,
  { aside, missing }: { readonly aside: ReadonlySet<Finding>; readonly missing: string },
): Outcome {
  const isThrown = outcome.finding !== null && aside.has(outcome.finding);
  const kept = violations.filter((finding) => !aside.has(finding));
  violations.splice(0, violations.length, ...kept);
  if (aside.size === 0 || (outcome.verdict !== 'pass' && !isThrown)) return outcome;
  return { verdict: 'untestable', finding: null, missing: [missing] };
}
