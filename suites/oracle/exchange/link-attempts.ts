import type { Attempt } from './attempt.ts';

/** A call of a check, with the facts that link it to its upstream attempts. Times are Unix ms. */
export interface Linkable {
  /** The scene markers, which the gateway passes on; empty where the call has none. */
  readonly marks: string;
  readonly fromMs: number;
  /** When it ended; Infinity if upstream calls may follow at any time, as for a task. */
  readonly toMs: number;
}

/** An upstream attempt with its scene markers. */
export interface MarkedAttempt extends Attempt {
  readonly marks: string;
}

/**
 * The attempts of each call, in order of arrival. Null where they are uncertain: the call has no marks, or another call with
 * equal marks was running when an attempt arrived, or no attempt has its marks but some may have lost them, or its equals have
 * all its attempts: times that a moved clock showed may lie in the wrong call.
 */
export function linkAttempts<C extends Linkable, A extends MarkedAttempt>(
  calls: readonly C[],
  attempts: readonly A[],
): Map<C, readonly A[] | null> {
  const byMarks = Map.groupBy(attempts, ({ marks }) => marks);
  const linked = new Map<C, readonly A[] | null>();
  for (const [marks, alike] of Map.groupBy(calls, (call) => call.marks)) {
    const theirs = byMarks.get(marks) ?? [];
    const haveAll = alike.length > 1 && theirs.length >= alike.length;
    for (const [call, own] of marks === ''
      ? alike.map((one) => [one, null] as const)
      : within(alike, theirs)) {
      const isElsewhere = own?.length === 0 && (haveAll || attempts.some((one) => mayBeOf(call, one)));
      linked.set(call, isElsewhere ? null : own);
    }
  }
  return linked;
}

/** Whether an attempt with other marks may belong to a call: a gateway may leave out a field that carries one. */
function mayBeOf({ marks, fromMs, toMs }: Linkable, { received, ...attempt }: MarkedAttempt): boolean {
  const own = attempt.marks.split(' ');
  const isAlike = attempt.marks === '' || marks.split(' ').some((mark) => own.includes(mark));
  return isAlike && fromMs <= received.max && received.min <= toMs;
}

function within<C extends Linkable, A extends Attempt>(
  calls: readonly C[],
  attempts: readonly A[],
): Map<C, readonly A[] | null> {
  const own = new Map<C, A[] | null>(calls.map((call) => [call, []]));
  for (const attempt of attempts.toSorted((one, other) => one.received.min - other.received.min)) {
    const { min, max } = attempt.received;
    const open = calls.filter(({ fromMs, toMs }) => fromMs <= max && min <= toMs);
    const [only, ...others] = open;
    if (only !== undefined && others.length === 0) own.get(only)?.push(attempt);
    else for (const call of open.length > 0 ? open : calls) own.set(call, null);
  }
  return own;
}
