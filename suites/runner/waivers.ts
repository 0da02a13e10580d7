import { failuresOf } from 'gatecheck-reports/failures-of';
import type { CheckResult, Waiver } from 'gatecheck-reports/report';
import { nearest } from '../values/nearest.ts';

export interface WaiverOutcome {
  readonly checks: CheckResult[];
  /**
   * Waivers that are no longer of use, one message each. They must be removed, or they would hide the next
   * failure.
   */
  readonly problems: readonly string[];
}

export interface WaiverRules {
  /** Ids that a waiver may have. */
  readonly knownIds: ReadonlySet<string>;
  /** ISO date, UTC. */
  readonly today: string;
  /** Whether other parts of the run may have the checks that a waiver is for. */
  readonly isPart: boolean;
}

/**
 * Applies the waivers of a profile: a failing check that a waiver names becomes `waived`. A waiver is a problem
 * when it has expired, names nothing that ran, or names a check that now passes.
 */
export function applyWaivers(
  checks: readonly CheckResult[],
  waivers: readonly Waiver[],
  { knownIds, today, isPart }: WaiverRules,
): WaiverOutcome {
  const problems: string[] = [];
  let judged = [...checks];
  for (const waiver of waivers) {
    if (!knownIds.has(waiver.id)) {
      problems.push(
        `the waiver for ${waiver.id} names no check and no requirement; did you mean ${nearest(waiver.id, [...knownIds])}?`,
      );
      continue;
    }
    if (waiver.until !== undefined && waiver.until < today) {
      problems.push(`the waiver for ${waiver.id} expired on ${waiver.until}`);
      continue;
    }
    const named = judged.filter(
      (check) => check.id === waiver.id || blames(check, waiver.id) || check.requirements.includes(waiver.id),
    );
    if (named.length === 0) continue;
    const failing = named.filter(
      (check) => check.verdict === 'fail' && (check.id === waiver.id || blames(check, waiver.id)),
    );
    if (!isPart && failing.length === 0 && named.every((check) => check.verdict === 'pass')) {
      problems.push(`the waiver for ${waiver.id} is stale: it passes now`);
    }
    judged = judged.map((check) => (failing.includes(check) ? waived(check, waiver) : check));
  }
  return { checks: judged, problems };
}

function blames(check: CheckResult, requirement: string): boolean {
  return failuresOf(check).some((failure) => failure.requirement === requirement);
}

/** A check that a waiver names is waived; of one whose requirement it names, everything else it found still counts. */
function waived(check: CheckResult, { id, reason, until }: Waiver): CheckResult {
  const [failure, ...also] = failuresOf(check).filter((one) => check.id !== id && one.requirement !== id);
  if (failure === undefined) return { ...check, verdict: 'waived', waiver: { reason, until: until ?? null } };
  const { also: _also, ...rest } = check;
  return { ...rest, failure, ...(also.length === 0 ? {} : { also }) };
}
