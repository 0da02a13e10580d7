import { failuresOf, foundBy } from 'gatecheck-reports/failures-of';
import type { CheckResult, Failure, Size, Verdict, Waiver } from 'gatecheck-reports/report';
import { isJudged } from 'gatecheck-reports/verdict-words';
import { endpointIn, isPlace } from '../engine/place-of.ts';
import { wayNames } from '../engine/way-of.ts';
import { meant } from '../values/nearest.ts';

export interface WaiverOutcome {
  readonly checks: CheckResult[];
  /** One message for each invalid or stale waiver. Remove such waivers, or they would hide the next failure. */
  readonly problems: readonly string[];
  /** Sentences about valid waivers that readers of the report need. */
  readonly notices: readonly string[];
}

export interface WaiverRules {
  /** The ids that a waiver may name. */
  readonly knownIds: ReadonlySet<string>;
  /** ISO date, UTC. */
  readonly today: string;
  /** Whether other parts of the run may have the checks that a waiver is for. */
  readonly isPart: boolean;
  readonly seed: number;
  readonly size: Size;
}

/**
 * Applies the waivers of a profile to the findings of checks. A check is `waived` when waivers accept all its findings;
 * otherwise it fails by the rest. A waiver is a problem when it has expired, names nothing, or its defect was searched for
 * and not found.
 */
export function applyWaivers(
  checks: readonly CheckResult[],
  waivers: readonly Waiver[],
  rules: WaiverRules,
): WaiverOutcome {
  const faults = new Map(waivers.map((waiver) => [waiver, faultOf(waiver, rules)]));
  const valid = waivers.filter((waiver) => faults.get(waiver) === null);
  const unseen = rules.isPart ? [] : valid.filter((waiver) => !checks.some((check) => shows(check, waiver)));
  const stale = unseen.filter((waiver) => wasLookedFor(waiver, checks, rules));
  const open = unseen.filter((waiver) => !stale.includes(waiver) && isTried(waiver, checks));
  const broad = valid.filter(({ aspect }) => aspect === undefined);
  return {
    checks: checks.map((check) => waived(check, valid)),
    problems: [
      ...[...faults.values()].filter((fault) => fault !== null),
      ...stale.map(
        (waiver) => `the waiver for ${nameOf(waiver)} is stale: it passes now${othersIn(waiver, checks)}`,
      ),
    ],
    notices: [
      ...(open.length === 0
        ? []
        : [
            `waivers not seen with these cases, which is no proof that they are stale: ${namesOf(open, (waiver) => othersIn(waiver, checks))}`,
          ]),
      ...(broad.length === 0
        ? []
        : [`waivers without an aspect hide whatever else breaks there: ${namesOf(broad)}`]),
    ],
  };
}

/** The verdict that a report will give to a check, unless a waiver names nothing. For lines that appear during a run. */
export function verdictWithWaivers(check: CheckResult, waivers: readonly Waiver[], today: string): Verdict {
  return waived(
    check,
    waivers.filter((waiver) => !hasExpired(waiver, today)),
  ).verdict;
}

function hasExpired({ until }: Waiver, today: string): boolean {
  return until !== undefined && until < today;
}

function faultOf(waiver: Waiver, { knownIds, today }: WaiverRules): string | null {
  const { id, until, place } = waiver;
  if (!knownIds.has(id)) return `the waiver for ${id} names no check and no rule${meant(id, [...knownIds])}`;
  if (place !== undefined && !isPlace(place))
    return `the waiver for ${id} names a place that there is not: ${place}; write it as failures do: ${wayNames.join('; ')}, each also with a family: core, beta`;
  return hasExpired(waiver, today) ? `the waiver for ${id} expired on ${until}` : null;
}

function shows(check: CheckResult, waiver: Waiver): boolean {
  const isBroken = check.verdict === 'fail' || check.verdict === 'waived';
  return isBroken && foundBy(check).some((failure) => accepts(waiver, check, failure));
}

/** Whether a waiver accepts a failure. The place `core` includes `core, beta`, and no streams. */
function accepts(waiver: Waiver, check: CheckResult, failure: Failure): boolean {
  const { aspect, place } = waiver;
  const { seen_in: seenIn = '' } = failure;
  return (
    isOfId(waiver, check, failure) &&
    (aspect === undefined || aspect === failure.aspect) &&
    (place === undefined || seenIn === place || endpointIn(seenIn) === place)
  );
}

function isOfId({ id }: Waiver, check: CheckResult, failure: Failure): boolean {
  return id === check.id || id === failure.requirement;
}

/** The failures of a waiver's rule or check that it does not accept, in the words of a waiver; empty when there are none. */
function othersIn(waiver: Waiver, checks: readonly CheckResult[]): string {
  const others = checks
    .filter(({ verdict }) => verdict === 'fail' || verdict === 'waived')
    .flatMap((check) => foundBy(check).filter((failure) => isOfId(waiver, check, failure)));
  const said = others.map(({ aspect, seen_in: seenIn }) =>
    seenIn === undefined ? aspect : `${aspect} (${endpointIn(seenIn)})`,
  );
  return said.length === 0 ? '' : `; failures say: ${[...new Set(said)].slice(0, mostNamed).join(', ')}`;
}

function coveredBy({ id }: Waiver, checks: readonly CheckResult[]): CheckResult[] {
  return checks.filter((check) => check.id === id || check.requirements.includes(id));
}

function isTried(waiver: Waiver, checks: readonly CheckResult[]): boolean {
  return coveredBy(waiver, checks).some(({ verdict }) => isJudged(verdict));
}

/** Whether the checks searched for a waiver's defect: with all cases, with the seed that showed it, or without any draw. */
function wasLookedFor(waiver: Waiver, checks: readonly CheckResult[], { seed, size }: WaiverRules): boolean {
  const covering = coveredBy(waiver, checks);
  const isSure = size === 'full' || seed === waiver.seed;
  const needsSeed = waiver.seed !== undefined || covering.some(drawsCases);
  return covering.length > 0 && covering.every(({ verdict }) => verdict === 'pass') && (isSure || !needsSeed);
}

/** Whether other seeds try other cases: true for properties, and for rows about every exchange. */
function drawsCases({ id, evidence }: CheckResult): boolean {
  return evidence.property !== null || id.startsWith('every.');
}

function waived(check: CheckResult, waivers: readonly Waiver[]): CheckResult {
  if (check.verdict !== 'fail') return check;
  const found = failuresOf(check);
  const waiverOf = (failure: Failure): Waiver | undefined =>
    waivers.find((waiver) => accepts(waiver, check, failure));
  const used = [...new Set(found.flatMap((failure) => waiverOf(failure) ?? []))];
  const [first] = used;
  if (first === undefined) return check;
  const [failure, ...also] = found.filter((one) => waiverOf(one) === undefined);
  if (failure === undefined) {
    const reason = [...new Set(used.map((waiver) => waiver.reason))].join('; ');
    // The earliest end of these waivers.
    const until = used.flatMap((waiver) => waiver.until ?? []).toSorted()[0] ?? null;
    return { ...check, verdict: 'waived', waiver: { reason, until } };
  }
  const { also: _also, accepted = [], ...rest } = check;
  const more = found.filter((one) => waiverOf(one) !== undefined);
  return { ...rest, failure, accepted: [...accepted, ...more], ...(also.length === 0 ? {} : { also }) };
}

function nameOf({ id, aspect, place }: Waiver): string {
  return [id, aspect, place === undefined ? undefined : `(${place})`]
    .filter((one) => one !== undefined)
    .join(' ');
}

/** The most waivers that are named. */
const mostNamed = 10;

function namesOf(waivers: readonly Waiver[], hintOf: (waiver: Waiver) => string = () => ''): string {
  const more = waivers.length > mostNamed ? ` and ${waivers.length - mostNamed} more` : '';
  return (
    waivers
      .slice(0, mostNamed)
      .map((waiver) => nameOf(waiver) + hintOf(waiver))
      .join(', ') + more
  );
}
