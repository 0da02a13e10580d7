import type { CheckRecord } from '../engine/parts/check-record.ts';
import type { Profile } from '../profile/profile.ts';
import type { Finding } from '../rules/violation.ts';
import type { Exchange } from '../wire/exchange.ts';
import { isUndeclaredByTime } from '../wire/rate-limit.ts';
import type { Outcome } from './conclude.ts';
import { setAside } from './unknown-keys.ts';

type Speaks = Pick<Profile, 'base_url' | 'translation' | 'http' | 'upstream'>;

/** What a refusal by time hides, where no simulated upstream may have caused it. */
const callsPerMinute = 'http.calls_per_minute: the limit of calls by time';

/** The profile member of the dialect that hides the rule of a finding; null when none does. */
export function hidingMember(profile: Speaks, finding: Finding): string | null {
  const { exchange, aspect, expected, requirement } = finding;
  const { hides, silences } = profile.translation ?? {};
  const silenced = silences?.(requirement) ?? null;
  if (silenced !== null) return silenced;
  if (hides === undefined || exchange === undefined) return null;
  return hides({
    aspect,
    expected,
    request: askedIn(profile, exchange),
    answer: exchange.carried?.answer ?? null,
  });
}

/** As {@link hidingMember} for the calls of a run, which a limit by time may refuse without a fault of theirs. */
export function hidingInRun(profile: Speaks, finding: Finding): string | null {
  const { exchange, requirement } = finding;
  const refusal = exchange?.carried?.answer ?? exchange?.response ?? null;
  if (refusal !== null && profile.upstream === undefined && requirement !== 'LIM-023') {
    const text = refusal.body.toString('utf8', 0, 4_096);
    if (isUndeclaredByTime({ ...refusal, text })) return callsPerMinute;
  }
  return hidingMember(profile, finding);
}

function askedIn({ base_url: base }: Speaks, { request }: Exchange) {
  const start = base.replace(/\/+$/, '');
  const { pathname, search } = new URL(request.url);
  // Observed traffic may have gone to another URL.
  return {
    ...request,
    path: request.url.startsWith(start) ? request.url.slice(start.length) : pathname + search,
  };
}

/**
 * A check's findings without those that a mapping of the dialect hides. A check is untestable, with the name of the mapping, if
 * one of them ended it, or is about a rule of its own.
 * @param rules those of the check
 */
export function withoutHidden(
  profile: Speaks,
  { violations }: Pick<CheckRecord, 'violations'>,
  outcome: Outcome,
  rules: readonly string[],
): Outcome {
  const found = [outcome.finding, ...violations].filter((finding) => finding !== null);
  const hidden = new Map(
    found.flatMap((finding) => {
      const member = hidingInRun(profile, finding);
      return member === null ? [] : [[finding, member] as const];
    }),
  );
  const isBeside = ([finding, member]: readonly [Finding, string]): boolean =>
    finding !== outcome.finding && member !== callsPerMinute && !rules.includes(finding.requirement);
  const beside = new Set([...hidden].filter(isBeside).map(([finding]) => finding));
  violations.splice(0, violations.length, ...violations.filter((finding) => !beside.has(finding)));
  const rest = [...hidden].filter(([finding]) => !beside.has(finding));
  const missing = rest[0]?.[1] ?? '';
  return setAside(violations, outcome, { aside: new Set(rest.map(([finding]) => finding)), missing });
}
