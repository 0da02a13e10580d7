import type { Attempt } from './attempt.ts';

/** A call of a check, as far as it takes to find what became of it at the upstreams. Times are Unix ms. */
export interface Linkable {
  /** What survives the gateway: the markers of its scenes; empty where it has none. */
  readonly marks: string;
  readonly fromMs: number;
  /** When it was over; Infinity where its upstream may be asked any time later, as for a task. */
  readonly toMs: number;
}

/** What an upstream got, with its marks. */
export interface MarkedAttempt extends Attempt {
  readonly marks: string;
}

/**
 * The attempts of each call, in order of arrival; null of a call for which they are not certain: it has no
 * marks, or another call with the same ones was under way when an attempt arrived.
 */
export function linkAttempts<C extends Linkable, A extends MarkedAttempt>(
  calls: readonly C[],
  attempts: readonly A[],
): Map<C, readonly A[] | null> {
  const byMarks = Map.groupBy(attempts, ({ marks }) => marks);
  const linked = new Map<C, readonly A[] | null>();
  for (const [marks, alike] of Map.groupBy(calls, (call) => call.marks))
    for (const [call, own] of marks === ''
      ? alike.map((one) => [one, null] as const)
      : within(alike, byMarks.get(marks) ?? []))
      linked.set(call, own);
  return linked;
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
