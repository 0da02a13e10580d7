import type { Attempt } from './upstream-log.ts';

/** A time in which a channel got no request after it had failed. ms since the start. */
export interface LeftAlone {
  readonly fromMs: number;
  /** Null when it lasted until the end. */
  readonly untilMs: number | null;
}

/** How long after the failure that opens a breaker a success from an earlier call may arrive, ms. */
const recentMs = 5_000;

/**
 * The times when the gateway avoided a channel: after a failure, no request for at least half its breaker's cool-down.
 * Attempts are in order; `endMs` is the end of the load.
 */
export function leftAlone(attempts: readonly Attempt[], coolDownMs: number, endMs: number): LeftAlone[] {
  const leastMs = coolDownMs / 2;
  const found: LeftAlone[] = [];
  let failedMs = Number.NEGATIVE_INFINITY;
  for (const [at, attempt] of attempts.entries()) {
    const next = attempts[at + 1];
    const fromMs = Math.min(attempt.endMs, next?.atMs ?? endMs);
    if (!attempt.isGood) failedMs = fromMs;
    if (fromMs - failedMs > recentMs || (next?.atMs ?? endMs) - fromMs < leastMs) continue;
    found.push({ fromMs, untilMs: next?.atMs ?? null });
  }
  return found;
}

/**
 * The time from the first failure until the channel was avoided, ms; null if it never failed, Infinity if it was never
 * avoided.
 */
export function timeToOpen(attempts: readonly Attempt[], alone: readonly LeftAlone[]): number | null {
  const first = attempts.find(({ isGood }) => !isGood);
  if (first === undefined) return null;
  return (alone[0]?.fromMs ?? Number.POSITIVE_INFINITY) - first.atMs;
}
