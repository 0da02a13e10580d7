/** The longest that an upstream may ask to be left alone for. */
const MOST_ASKED_MS = 60_000;

/** The wait after the `nth` of several in a row, counted from 0: the first one, doubling towards the longest. */
export function doubling(firstMs: number, mostMs: number, nth: number): number {
  return Math.min(firstMs * 2 ** Math.min(nth, 30), Math.max(firstMs, mostMs));
}

/** Our own wait, or what the upstream asks for where that is longer. */
export function waitFor(ownMs: number, askedMs: number | null): number {
  return Math.max(ownMs, Math.min(askedMs ?? 0, MOST_ASKED_MS));
}
