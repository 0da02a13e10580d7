// Where times lie on a line. Pauses without any request are drawn short: else a moved clock hides everything.

/** @typedef {{ readonly from: number, readonly to: number }} Span */

/** A pause is cut when it is longer than this, and than the share of all that is busy. */
const leastPauseMs = 1000;
const pauseShare = 0.25;
/** What is left of it, as a share of the busy time. */
const cutShare = 0.04;

/**
 * The line for some spans: from a time to its place between 0 and 1.
 * @param {readonly Span[]} spans
 * @returns {{ place: (ms: number) => number, from: number, to: number, cuts: number[] }}
 */
export function axisOf(spans) {
  const busy = union(spans);
  const first = busy[0];
  if (first === undefined) return { place: () => 0, from: 0, to: 0, cuts: [] };
  const busyMs = Math.max(
    1,
    busy.reduce((sum, { from, to }) => sum + to - from, 0),
  );
  /** @type {{ from: number, at: number }[]} */
  const pieces = [];
  const cuts = [];
  let at = 0;
  let end = first.from;
  for (const { from, to } of busy) {
    const pause = from - end;
    const isCut = pause > Math.max(leastPauseMs, busyMs * pauseShare);
    if (pause > 0) {
      at += isCut ? busyMs * cutShare : pause;
      if (isCut) cuts.push(at - (busyMs * cutShare) / 2);
    }
    pieces.push({ from, at });
    at += to - from;
    end = to;
  }
  const whole = Math.max(1, at);
  /** @param {number} ms */
  const place = (ms) => {
    const piece = pieces.findLast(({ from }) => from <= ms) ?? pieces[0];
    if (piece === undefined) return 0;
    return Math.min(1, Math.max(0, (piece.at + Math.max(0, ms - piece.from)) / whole));
  };
  return { place, from: first.from, to: end, cuts: cuts.map((cut) => cut / whole) };
}

/** @param {readonly Span[]} spans @returns {Span[]} */
function union(spans) {
  /** @type {{ from: number, to: number }[]} */
  const joined = [];
  for (const { from, to } of spans.toSorted((one, other) => one.from - other.from)) {
    const last = joined.at(-1);
    if (last !== undefined && from <= last.to) last.to = Math.max(last.to, to);
    else joined.push({ from, to });
  }
  return joined;
}
