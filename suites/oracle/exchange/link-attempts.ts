import { countWhile } from '../../values/count-while.ts';
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
 * equal marks was running when an attempt arrived, or no attempt has its marks but some may have lost them, or one of equal
 * calls has several attempts and another none: times that a moved clock showed may lie in the wrong call.
 */
export function linkAttempts<C extends Linkable, A extends MarkedAttempt>(
  calls: readonly C[],
  attempts: readonly A[],
): Map<C, readonly A[] | null> {
  const byMarks = Map.groupBy(attempts, ({ marks }) => marks);
  const byMark = arrivalsByMark(attempts);
  const linked = new Map<C, readonly A[] | null>();
  for (const [marks, alike] of Map.groupBy(calls, (call) => call.marks)) {
    const theirs = byMarks.get(marks) ?? [];
    const haveAll = alike.length > 1 && theirs.length >= alike.length;
    // A gateway may leave out a field that carries a mark.
    const near = ['', ...marks.split(' ')].flatMap((mark) => byMark.get(mark) ?? []);
    const found = marks === '' ? new Map(alike.map((one) => [one, null])) : within(alike, theirs);
    const lacks = haveAll && [...found.values()].some((own) => own?.length === 0);
    for (const [call, own] of found) {
      const isElsewhere =
        (lacks && own?.length !== 1) || (own?.length === 0 && near.some((some) => some.overlaps(call)));
      linked.set(call, isElsewhere ? null : own);
    }
  }
  return linked;
}

/** The times of the attempts that carry a mark, by mark; those without any under ''. */
function arrivalsByMark(attempts: readonly MarkedAttempt[]): ReadonlyMap<string, Spans<Span>> {
  const times = new Map<string, Span[]>();
  for (const { marks, received } of attempts)
    for (const mark of new Set(marks.split(' '))) {
      const some = times.get(mark) ?? [];
      times.set(mark, some);
      some.push({ fromMs: received.min, toMs: received.max });
    }
  return new Map([...times].map(([mark, some]) => [mark, new Spans(some)]));
}

function within<C extends Linkable, A extends Attempt>(
  calls: readonly C[],
  attempts: readonly A[],
): Map<C, readonly A[] | null> {
  const own = new Map<C, A[] | null>(calls.map((call) => [call, []]));
  const spans = new Spans(calls);
  for (const attempt of attempts.toSorted((one, other) => one.received.min - other.received.min)) {
    const open = spans.over({ fromMs: attempt.received.min, toMs: attempt.received.max });
    const [only, ...others] = open;
    if (only !== undefined && others.length === 0) own.get(only)?.push(attempt);
    else for (const call of open.length > 0 ? open : calls) own.set(call, null);
  }
  return own;
}

/** A range of time, Unix ms; both ends belong to it. */
interface Span {
  readonly fromMs: number;
  readonly toMs: number;
}

/** Spans by their begin, each with the latest end up to it: a full run asks about tens of thousands. */
class Spans<S extends Span> {
  readonly #spans: readonly S[];
  readonly #latestMs: readonly number[];

  constructor(spans: readonly S[]) {
    this.#spans = spans.toSorted((one, other) => one.fromMs - other.fromMs);
    let latestMs = Number.NEGATIVE_INFINITY;
    this.#latestMs = this.#spans.map(({ toMs }) => {
      latestMs = Math.max(latestMs, toMs);
      return latestMs;
    });
  }

  overlaps({ fromMs, toMs }: Span): boolean {
    return (this.#latestMs[this.#begunBy(toMs) - 1] ?? Number.NEGATIVE_INFINITY) >= fromMs;
  }

  /** The spans that overlap with this one. */
  over({ fromMs, toMs }: Span): S[] {
    const found: S[] = [];
    for (let place = this.#begunBy(toMs) - 1; (this.#latestMs[place] ?? fromMs - 1) >= fromMs; place -= 1) {
      const span = this.#spans[place];
      if (span !== undefined && span.toMs >= fromMs) found.push(span);
    }
    return found;
  }

  #begunBy(ms: number): number {
    return countWhile(this.#spans, ({ fromMs }) => fromMs <= ms);
  }
}
