import type { CheckResult } from 'gatecheck-reports/report';

/**
 * Results in which a warning is one check's or a few, however many saw it: that of the checks of its rule, else of the first
 * that saw it. The others pass, because their own rules held; their notes still have it. Otherwise one habit of a deployment
 * would turn a third of a run yellow, and leave as many rules unproved.
 */
export function warnOnce(checks: readonly CheckResult[]): CheckResult[] {
  const reporting = new Map<string, CheckResult>();
  for (const check of checks) {
    const key = warningOf(check);
    const known = key === null ? undefined : reporting.get(key);
    if (key !== null && (known === undefined || (isOwn(check) && !isOwn(known)))) reporting.set(key, check);
  }
  return checks.map((check) => {
    const key = warningOf(check);
    if (key === null || isOwn(check) || reporting.get(key) === check) return check;
    const { failure, also, ...rest } = check;
    return { ...rest, verdict: 'pass' };
  });
}

/** What a check warns of; null for one without a warning. */
function warningOf({ verdict, failure }: CheckResult): string | null {
  const isSoft = verdict === 'warn' || verdict === 'observed';
  return isSoft && failure !== undefined ? `${failure.requirement} ${failure.aspect}` : null;
}

/** Whether the warning concerns a rule of the check itself. */
function isOwn({ failure, requirements }: CheckResult): boolean {
  return failure !== undefined && requirements.includes(failure.requirement);
}
