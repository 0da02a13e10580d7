import type { Latency, Pacing } from '../control/protocol.ts';
import { type Random, unitOf } from '../random.ts';

/** Where 99 of 100 draws from the standard normal distribution are below. */
const normalOf99 = 2.326_347_87;

const longestMs = 1e10;

/** Draws one delay from the distribution, ms. From a trace it draws any of the values. */
export function drawMs(latency: Latency, random: Random): number {
  if (typeof latency === 'number') return latency;
  if ('fixed' in latency) return latency.fixed;
  if ('uniform' in latency) {
    const { min, max } = latency.uniform;
    return round(min + unitOf(random) * (max - min));
  }
  if ('percentiles' in latency) {
    const { p50, p99 } = latency.percentiles;
    return round(Math.min(longestMs, p50 * (p99 / p50) ** (drawNormal(random) / normalOf99)));
  }
  if ('log_normal' in latency) {
    const { median, sigma, cap } = latency.log_normal;
    return round(Math.min(cap, median * Math.exp(sigma * drawNormal(random))));
  }
  return random.pick(latency.trace);
}

/** A draw from the standard normal distribution (Box–Muller transform). */
function drawNormal(random: Random): number {
  // 1 - u is above zero, so the logarithm is finite.
  return Math.sqrt(-2 * Math.log(1 - unitOf(random))) * Math.cos(2 * Math.PI * unitOf(random));
}

/** Rounds to the microsecond, the clock's resolution. */
function round(ms: number): number {
  return Math.round(ms * 1000) / 1000;
}

/** The due times of the parts of one answer. They are drawn once, so repeated calls return the same times. */
export interface Pace {
  /**
   * When delta `k` is due, ms after the start of the answer. After `n` deltas, the ending is due at `dueMs(n)`.
   */
  dueMs(k: number): number;
}

/** All parts are due at once. */
export const noPace: Pace = { dueMs: () => 0 };

/**
 * The deadlines of one answer. All count from its beginning, so a late write does not delay the next. A trace between deltas
 * starts at its beginning and repeats.
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
