import type { Latency, Pacing } from '../control/protocol.ts';
import type { Random } from '../random.ts';
import { drawMs } from './draw-ms.ts';

/** The due times of the parts of one answer. They are drawn once, so repeated calls return the same times. */
export interface Pace {
  /**
   * When delta `k` is due, ms after the start of the answer. After `n` deltas, the ending is due at `dueMs(n)`.
   */
  dueMs(k: number): number;
}

/** Everything at once. */
export const noPace: Pace = { dueMs: () => 0 };

/**
 * The deadlines of one answer. All count from its beginning, so a late write does not delay the next. A trace
 * between deltas is played from its beginning, and repeats after its end.
 */
export function createPace(
  { first_ms: first = 0, each_ms: each = 0 }: Pacing,
  randoms: { readonly first: Random; readonly each: Random },
): Pace {
  const due = [drawMs(first, randoms.first)];
  return {
    dueMs: (k) => {
      for (let at = due.length; at <= k; at += 1) {
        due.push((due[at - 1] ?? 0) + gapMs(each, at - 1, randoms.each));
      }
      return due[k] ?? 0;
    },
  };
}

function gapMs(each: Latency, at: number, random: Random): number {
  if (typeof each !== 'object' || !('trace' in each)) return drawMs(each, random);
  return each.trace[at % each.trace.length] ?? 0;
}
