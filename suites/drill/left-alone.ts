import type { Attempt } from './upstream-log.ts';

/** A time in which a channel got no request after it had failed. ms since the start. */
export interface LeftAlone {
  readonly fromMs: number;
  /** Null when it lasted until the end. */
  readonly untilMs: number | null;
}

/** A breaker opens by a failure; a good answer that was under way may still come after it, ms. */
const recentMs = 5_000;

/**
 * When a channel was left alone: after a failure no request for at least half as long as its breaker stays open. Its attempts
 * are in order; `endMs` is when calls were no longer sent.
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

/** ms from the first failure until it was left alone; null when it never failed, Infinity when it never was. */
export function timeToOpen(attempts: readonly Attempt[], alone: readonly LeftAlone[]): number | null {
  const first = attempts.find(({ isGood }) => !isGood);
  if (first === undefined) return null;
  return (alone[0]?.fromMs ?? Number.POSITIVE_INFINITY) - first.atMs;
}
