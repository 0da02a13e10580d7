import { foundBy } from './failures-of.ts';
import type { CheckResult, Failure, Report, Verdict } from './report.ts';
import { isJudged } from './verdict-words.ts';

/** A failed check of the newer report, with its failure. */
export interface FoundFailure {
  readonly id: string;
  readonly title: string;
  /** The verdict in the older report; null where the check did not run. */
  readonly before: Verdict | null;
  /** Whether a waiver accepts the failure, although it got worse. */
  readonly isWaived: boolean;
  readonly failure: Failure | null;
}

/** A check whose verdict has changed, without a new failure. */
export interface Moved {
  readonly id: string;
  readonly before: Verdict;
  readonly after: Verdict | null;
  /** The reason of the new verdict: the missing fact, or the finding. */
  readonly reason: string;
}

/** The changes between two runs. A check is in at most one list, apart from `slower` and `observations`. */
export interface Comparison {
  /** Broken now, waived or not, but not before. */
  readonly regressions: readonly FoundFailure[];
  /** Broken in both, but now by another rule or aspect. For waived failures also in another place. */
  readonly changed: readonly FoundFailure[];
  /** Failed before, judged now without a failure. */
  readonly fixed: readonly Moved[];
  /** Failed in both for the same reasons. */
  readonly still: readonly FoundFailure[];
  /** Judged before and not now: there is less evidence. */
  readonly lost: readonly Moved[];
  /** Judged now but not before. */
  readonly gained: readonly Moved[];
  /** Warned only now, or only before. */
  readonly warnings: readonly Moved[];
  /** The observations differ, apart from numbers. */
  readonly observations: readonly { id: string; before: readonly string[]; after: readonly string[] }[];
  /** Times in ms of checks that take more than twice as long and over two seconds longer. */
  readonly slower: readonly { id: string; beforeMs: number; afterMs: number }[];
}

const slowFactor = 2;
const slowByMs = 2_000;

/** Compares two runs check by check. They may differ in target, seed and size: the rendering says so. */
export function compareReports(older: Report, newer: Report): Comparison {
  const before = new Map(older.checks.map((check) => [check.id, check]));
  const after = new Map(newer.checks.map((check) => [check.id, check]));
  const pairs = newer.checks.map((check) => ({ now: check, was: before.get(check.id) }));
  const broken = pairs.filter(({ now }) => isBroken(now));
  const both = broken.filter(({ was }) => isBroken(was));
  // With other cases the same defect shows in other places.
  const isSameRun = older.seed === newer.seed && older.size === newer.size;
  const isNew = (pair: Pair): boolean => newReasonIn(pair, isSameRun) !== null;
  const foundOf = (pair: Pair): FoundFailure => found(pair, isSameRun);
  return {
    regressions: broken.filter(({ was }) => !isBroken(was)).map(foundOf),
    changed: both.filter(isNew).map(foundOf),
    still: both.filter((pair) => !isNew(pair)).map(foundOf),
    fixed: moved(pairs, (was, now) => isBroken(was) && !isBroken(now) && wasJudged(now)),
    lost: older.checks
      .filter((check) => wasJudged(check) && !wasJudged(after.get(check.id)))
      .map((check) => lostOf(check, after.get(check.id))),
    gained: moved(pairs, (was, now) => !wasJudged(was) && wasJudged(now) && !isBroken(now)),
    warnings: moved(pairs, (was, now) => changedWarning(was.verdict, now.verdict)),
    observations: pairs.flatMap(({ was, now }) => (was === undefined ? [] : observationsOf(was, now))),
    slower: pairs.flatMap(({ was, now }) => (was === undefined ? [] : slowerOf(was, now))),
  };
}

/** Whether a check is newly broken, or broken for another reason, waived or not. */
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

function isBroken(check: CheckResult | undefined): boolean {
  return check?.verdict === 'fail' || check?.verdict === 'waived';
}

function found(pair: Pair, isSameRun: boolean): FoundFailure {
  const { now, was } = pair;
  const failure = (isBroken(was) ? newReasonIn(pair, isSameRun) : null) ?? now.failure ?? null;
  return {
    ...{ id: now.id, title: now.title, before: was?.verdict ?? null, failure },
    isWaived: now.verdict === 'waived' || (failure !== null && (now.accepted ?? []).includes(failure)),
  };
}

/** The first failure of the check that the older run did not find; null where there is none. */
function newReasonIn({ now, was }: Pair, isSameRun: boolean): Failure | null {
  const known = was === undefined ? [] : foundBy(was);
  const isKnown = (failure: Failure, keyOf: (failure: Failure) => string): boolean =>
    known.some((one) => keyOf(one) === keyOf(failure));
  // A waiver hides further places where its rule is broken, so for waived failures the place counts.
  const hidden = now.verdict === 'waived' ? foundBy(now) : (now.accepted ?? []);
  const isNew = (failure: Failure): boolean =>
    !isKnown(failure, isSameRun && hidden.includes(failure) ? placedReasonOf : reasonOf);
  return foundBy(now).find(isNew) ?? null;
}

function reasonOf({ requirement, aspect }: Failure): string {
  return `${requirement} ${aspect}`;
}

/** The reason with the place and the request members concerned. */
function placedReasonOf(failure: Failure): string {
  const members = (failure.in_question ?? []).map(({ path }) => path).toSorted();
  return [reasonOf(failure), failure.seen_in ?? '', ...members].join(' ');
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
  // Duplicates are removed: each part of a split run has the same notes.
  const shapeOf = (notes: readonly string[]): string =>
    [...new Set(notes.map(withoutNumbers))].toSorted().join('\n');
  return shapeOf(before) === shapeOf(after) ? [] : [{ id: now.id, before, after }];
}

/** Counts and durations differ from run to run. */
function withoutNumbers(note: string): string {
  return note.replaceAll(/\d+(?:[.,]\d+)*/g, '#');
}

function slowerOf(was: CheckResult, now: CheckResult): Comparison['slower'] {
  const [beforeMs, afterMs] = [was.duration_ms, now.duration_ms];
  const isSlower = afterMs > slowFactor * beforeMs && afterMs > beforeMs + slowByMs;
  return wasJudged(was) && wasJudged(now) && isSlower ? [{ id: now.id, beforeMs, afterMs }] : [];
}
