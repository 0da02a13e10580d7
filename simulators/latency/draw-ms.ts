import type { Latency } from '../control/protocol.ts';
import { type Random, unitOf } from '../random.ts';

/** One wait of the distribution, ms. A trace gives any of its values. */
export function drawMs(latency: Latency, random: Random): number {
  if (typeof latency === 'number') return latency;
  if ('fixed' in latency) return latency.fixed;
  if ('uniform' in latency) {
    const { min, max } = latency.uniform;
    return round(min + unitOf(random) * (max - min));
  }
  if ('log_normal' in latency) {
    const { median, sigma, cap } = latency.log_normal;
    return round(Math.min(cap, median * Math.exp(sigma * drawNormal(random))));
  }
  return random.pick(latency.trace);
}

/** A draw of the standard normal distribution, by Box and Muller. */
function drawNormal(random: Random): number {
  // 1 - u lies above zero, where the logarithm is finite.
  return Math.sqrt(-2 * Math.log(1 - unitOf(random))) * Math.cos(2 * Math.PI * unitOf(random));
}

/** To the microsecond, which is what the clock counts in. */
function round(ms: number): number {
  return Math.round(ms * 1000) / 1000;
}
