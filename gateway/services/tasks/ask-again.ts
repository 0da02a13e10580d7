/** Nobody is believed who wants to be left alone for longer. */
const maxMs = 60_000;

/** How long an upstream is left alone that asks for it; null when it does not. */
export function boundedWaitMs(askedMs: number | null): number | null {
  return askedMs === null || askedMs <= 0 ? null : Math.min(askedMs, maxMs);
}
