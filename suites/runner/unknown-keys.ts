import { type CheckRecord, isSentWith } from '../engine/parts/check-record.ts';
import type { Finding } from '../rules/violation.ts';
import type { Outcome } from './conclude.ts';

/** Refusals that a deployment can only make when it knows the key. */
const ofKnownKeys = /sk_disabled|sk_expired/;

/**
 * Removes refusals of keys that the accounts hook has just made, if no answer shows that the deployment knows the key. Such a
 * hook answers too early, or makes invalid keys, so the rules cannot be judged.
 */
export function withoutUnknownKeys(
  { violations, unknownKeys }: Pick<CheckRecord, 'violations' | 'unknownKeys'>,
  outcome: Outcome,
): Outcome {
  const isOfHook = ({ exchange }: Finding): boolean => {
    if (exchange?.response?.status !== 401) return false;
    if (ofKnownKeys.test(exchange.response.body.toString('utf8', 0, 4_096))) return false;
    return [...unknownKeys].some((key) => isSentWith(exchange, key));
  };
  const findings = [outcome.finding, ...violations].filter((finding) => finding !== null);
  return setAside(violations, outcome, {
    aside: new Set(findings.filter(isOfHook)),
    missing: 'keys of hooks.accounts that work once they are made (one got HTTP 401)',
  });
}

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
