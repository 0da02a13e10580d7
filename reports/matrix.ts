import { failuresOf } from './failures-of.ts';
import type { CheckResult, Report, RequirementResult, Verdict } from './report.ts';

/**
 * The result of a rule's checks at one place. `open` means that they called it but ended before they had judged everything.
 */
export type CellVerdict = Verdict | 'open';

export interface MatrixCell {
  readonly verdict: CellVerdict;
  /** Number of calls there by all checks of the rule. */
  readonly calls: number;
  /** The check that shows the verdict; `nth` is the index of its failure there, null for none. */
  readonly check: CheckResult;
  readonly nth: number | null;
}

export interface MatrixRow {
  readonly rule: RequirementResult;
  readonly cells: ReadonlyMap<string, MatrixCell>;
}

/** Which rules were judged at which place, and the results. */
export interface Matrix {
  readonly places: readonly string[];
  readonly rows: readonly MatrixRow[];
  /** Number of rules that were judged without a call to a place. */
  readonly placeless: number;
}

/** The most important verdicts first. */
const byWeight: readonly CellVerdict[] = [
  'fail',
  'harness-error',
  'flaky',
  'waived',
  'warn',
  'observed',
  'pass',
  'untestable',
  'not-applicable',
  'open',
];

const wayOrder = ['core', 'compat-a', 'compat-b', 'images', 'tasks', 'task reads', 'models'];

export function matrixOf({ checks, requirements }: Pick<Report, 'checks' | 'requirements'>): Matrix {
  const byId = new Map(checks.map((check) => [check.id, { check, places: placesOf(check) }]));
  const all = requirements.map((rule): MatrixRow => {
    const own = rule.checks.flatMap((id) => byId.get(id) ?? []);
    const places = new Set(own.flatMap((one) => one.places));
    return { rule, cells: new Map([...places].map((place) => [place, cellOf(rule.id, place, own)])) };
  });
  const rows = all.filter(({ cells }) => cells.size > 0);
  return {
    places: sortedPlaces(new Set(rows.flatMap(({ cells }) => [...cells.keys()]))),
    rows,
    placeless: all.filter(({ rule, cells }) => cells.size === 0 && rule.verdict !== 'untestable').length,
  };
}

/** The entry point of a place, such as `core, stream`, and the model family or medium; null if it has none. */
export function partsOf(place: string): { readonly way: string; readonly family: string | null } {
  const parts = place.split(', ');
  const family = parts.length > 1 && parts.at(-1) !== 'stream' ? (parts.pop() ?? null) : null;
  return { way: parts.join(', '), family };
}

/** The places that a check called, and those of its failures. */
export function placesOf(check: CheckResult): string[] {
  const seen = failuresOf(check).flatMap(({ seen_in: place }) => place ?? []);
  return [...new Set([...Object.keys(check.evidence.places ?? {}), ...seen])];
}

/** A check with the result of `placesOf`. */
interface PlacedCheck {
  readonly check: CheckResult;
  readonly places: readonly string[];
}

function cellOf(rule: string, place: string, checks: readonly PlacedCheck[]): MatrixCell {
  const [worst] = checks
    .filter(({ places }) => places.includes(place))
    .map(({ check }) => ({ check, ...seenBy(check, rule, place) }))
    .sort((one, other) => byWeight.indexOf(one.verdict) - byWeight.indexOf(other.verdict));
  if (worst === undefined) throw new TypeError(`no check of ${rule} called ${place}`);
  const calls = checks.reduce((sum, { check }) => sum + (check.evidence.places?.[place] ?? 0), 0);
  return { ...worst, calls };
}

function seenBy(
  check: CheckResult,
  rule: string,
  place: string,
): { readonly verdict: CellVerdict; readonly nth: number | null } {
  const failures = failuresOf(check);
  const nth = failures.findIndex((one) => one.requirement === rule && one.seen_in === place);
  if (nth >= 0) return { verdict: check.verdict, nth };
  // The subject of a warning may be known only by its place.
  const isElsewhere = check.verdict === 'warn' && failures.some(({ seen_in: at }) => at !== undefined);
  if (isElsewhere) return { verdict: 'pass', nth: null };
  const isSeen = ['pass', 'warn', 'observed'].includes(check.verdict);
  return { verdict: isSeen ? check.verdict : 'open', nth: null };
}

/** Sorts places by entry point, streams after plain answers. */
export function sortedPlaces(places: ReadonlySet<string>): string[] {
  const rank = (place: string): number =>
    wayOrder.findIndex((way) => place === way || place.startsWith(`${way},`));
  return [...places].sort((one, other) => {
    const stream = Number(one.includes(', stream')) - Number(other.includes(', stream'));
    return rank(one) - rank(other) || stream || (one < other ? -1 : 1);
  });
}
