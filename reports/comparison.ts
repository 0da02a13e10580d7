import { failuresOf } from './failures-of.ts';
import type { CheckResult, Failure, Report, Verdict } from './report.ts';
import { isJudged } from './verdict-words.ts';

/** A check of the newer report that failed, with what it found. */
export interface FoundFailure {
  readonly id: string;
  readonly title: string;
  /** The verdict in the older report; null where the check did not run. */
  readonly before: Verdict | null;
  readonly failure: Failure | null;
}

/** A check whose verdict is another one than before, without failing. */
export interface Moved {
  readonly id: string;
  readonly before: Verdict;
  readonly after: Verdict | null;
  /** Why it is so now: the missing fact, what was seen. */
  readonly reason: string;
}

/** What became of the checks between two runs. A check is in one list at most, `slower` and `observations` apart. */
export interface Comparison {
  /** Failed now, and did not fail before. */
  readonly regressions: readonly FoundFailure[];
  /** Failed before and now, by a rule or an aspect that did not fail before. */
  readonly changed: readonly FoundFailure[];
  /** Failed before, judged now without a failure. */
  readonly fixed: readonly Moved[];
  /** Failed in both for the same reasons. */
  readonly still: readonly FoundFailure[];
  /** Judged before and not now: there is less evidence. */
  readonly lost: readonly Moved[];
  /** Judged now and not before. */
  readonly gained: readonly Moved[];
  /** A warning now, and none before; or the other way round. */
  readonly warnings: readonly Moved[];
  /** Other things were observed, numbers apart. */
  readonly observations: readonly { id: string; before: readonly string[]; after: readonly string[] }[];
  /** Times in ms of checks that take more than twice as long, and more than two seconds longer. */
  readonly slower: readonly { id: string; beforeMs: number; afterMs: number }[];
}

const slowFactor = 2;
const slowByMs = 2_000;

/** Compares two runs check by check. They may differ in target, seed and size: whoever shows it says so. */
export function compareReports(older: Report, newer: Report): Comparison {
  const before = new Map(older.checks.map((check) => [check.id, check]));
  const after = new Map(newer.checks.map((check) => [check.id, check]));
  const pairs = newer.checks.map((check) => ({ now: check, was: before.get(check.id) }));
  const failed = pairs.filter(({ now }) => now.verdict === 'fail');
  const both = failed.filter(({ was }) => was?.verdict === 'fail');
  const foundOf = ({ now, was }: Pair): FoundFailure => found(now, was);
  return {
    regressions: failed.filter(({ was }) => was?.verdict !== 'fail').map(foundOf),
    changed: both.filter((pair) => newReasonIn(pair) !== null).map(foundOf),
    still: both.filter((pair) => newReasonIn(pair) === null).map(foundOf),
    fixed: moved(pairs, (was, now) => was.verdict === 'fail' && now.verdict !== 'fail' && wasJudged(now)),
    lost: older.checks
      .filter((check) => wasJudged(check) && !wasJudged(after.get(check.id)))
      .map((check) => lostOf(check, after.get(check.id))),
    gained: moved(pairs, (was, now) => !wasJudged(was) && wasJudged(now) && now.verdict !== 'fail'),
    warnings: moved(pairs, (was, now) => changedWarning(was.verdict, now.verdict)),
    observations: pairs.flatMap(({ was, now }) => (was === undefined ? [] : observationsOf(was, now))),
    slower: pairs.flatMap(({ was, now }) => (was === undefined ? [] : slowerOf(was, now))),
  };
}

/** Whether a check fails that did not, or for a reason for which it did not. */
export function isWorse({ regressions, changed }: Comparison): boolean {
  return regressions.length + changed.length > 0;
}

interface Pair {
  readonly now: CheckResult;
  readonly was: CheckResult | undefined;
}

function wasJudged(check: CheckResult | undefined): boolean {
  return check !== undefined && isJudged(check.verdict);
}

function found(now: CheckResult, was: CheckResult | undefined): FoundFailure {
  const failure = (was?.verdict === 'fail' ? newReasonIn({ now, was }) : null) ?? now.failure ?? null;
  return { id: now.id, title: now.title, before: was?.verdict ?? null, failure };
}

/** The first failure of the check whose rule and aspect the older run did not name; null where there is none. */
function newReasonIn({ now, was }: Pair): Failure | null {
  const known = new Set(was === undefined ? [] : failuresOf(was).map(reasonOf));
  return failuresOf(now).find((failure) => !known.has(reasonOf(failure))) ?? null;
}

function reasonOf({ requirement, aspect }: Failure): string {
  return `${requirement} ${aspect}`;
}

function moved(pairs: readonly Pair[], suits: (was: CheckResult, now: CheckResult) => boolean): Moved[] {
  return pairs.flatMap(({ was, now }) =>
    was !== undefined && suits(was, now)
      ? [{ id: now.id, before: was.verdict, after: now.verdict, reason: reasonFor(now) }]
      : [],
  );
}

function lostOf(was: CheckResult, now: CheckResult | undefined): Moved {
  const reason = now === undefined ? 'not in the newer run' : reasonFor(now);
  return { id: was.id, before: was.verdict, after: now?.verdict ?? null, reason };
}

function reasonFor({ failure, evidence, waiver }: CheckResult): string {
  return waiver?.reason ?? failure?.actual ?? (evidence.missing.join(', ') || (evidence.notes[0] ?? ''));
}

function changedWarning(was: Verdict, now: Verdict): boolean {
  const plain: readonly Verdict[] = ['pass', 'observed'];
  return (was === 'warn' && plain.includes(now)) || (now === 'warn' && plain.includes(was));
}

function observationsOf(was: CheckResult, now: CheckResult): Comparison['observations'] {
  if (!wasJudged(was) || !wasJudged(now)) return [];
  const [before, after] = [was.evidence.notes, now.evidence.notes];
  const shapeOf = (notes: readonly string[]): string => [...notes].map(withoutNumbers).toSorted().join('\n');
  return shapeOf(before) === shapeOf(after) ? [] : [{ id: now.id, before, after }];
}

/** Counts and times differ from run to run. */
function withoutNumbers(note: string): string {
  return note.replaceAll(/\d+(?:[.,]\d+)*/g, '#');
}

function slowerOf(was: CheckResult, now: CheckResult): Comparison['slower'] {
  const [beforeMs, afterMs] = [was.duration_ms, now.duration_ms];
  const isSlower = afterMs > slowFactor * beforeMs && afterMs > beforeMs + slowByMs;
  return wasJudged(was) && wasJudged(now) && isSlower ? [{ id: now.id, beforeMs, afterMs }] : [];
}
