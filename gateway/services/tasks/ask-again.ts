/** An upstream that asks for a longer wait gets this one. */
const maxMs = 60_000;

/** The wait that an upstream asks for, up to the maximum; null if it asks for none. */
export function boundedWaitMs(askedMs: number | null): number | null {
  return askedMs === null || askedMs <= 0 ? null : Math.min(askedMs, maxMs);
}
