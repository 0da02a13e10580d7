/**
 * The positions of times on an axis from 0 to 1000. Long pauses without requests are shortened: otherwise a moved clock would
 * hide everything else.
 */

export interface Span {
  readonly from: number;
  readonly to: number;
}

export interface Axis {
  readonly from: number;
  readonly to: number;
  /** The position of a time, 0 to 1000. */
  readonly place: (ms: number) => number;
  /** The positions of shortened pauses. */
  readonly cuts: readonly number[];
}

const width = 1000;
/** A pause is shortened if it is longer than both this and the given share of the busy time. */
const leastPauseMs = 1_000;
const pauseShare = 0.25;
/** The length of a shortened pause, as a share of the busy time. */
const cutShare = 0.05;

/** A section of the axis: its first time, its position, and its scale in positions per ms. */
interface Piece {
  readonly from: number;
  readonly at: number;
  readonly perMs: number;
}

export function axisOf(spans: readonly Span[]): Axis {
  const busy = union(spans);
  const [first] = busy;
  const last = busy.at(-1);
  if (first === undefined || last === undefined) return { from: 0, to: 0, place: () => 0, cuts: [] };
  const busyMs = Math.max(
    1,
    busy.reduce((sum, { from, to }) => sum + to - from, 0),
  );
  const short = busyMs * cutShare;
  const pieces: Piece[] = [];
  const cuts: number[] = [];
  let [at, end] = [0, first.from];
  for (const { from, to } of busy) {
    const pause = from - end;
    const isCut = pause > Math.max(leastPauseMs, busyMs * pauseShare);
    if (pause > 0) {
      pieces.push({ from: end, at, perMs: isCut ? short / pause : 1 });
      if (isCut) cuts.push(at + short / 2);
      at += isCut ? short : pause;
    }
    pieces.push({ from, at, perMs: 1 });
    at += to - from;
    end = to;
  }
  const scale = width / Math.max(1, at);
  const place = (ms: number): number => {
    const piece = pieces.findLast(({ from }) => from <= ms) ?? pieces[0];
    const along = piece === undefined ? 0 : piece.at + Math.max(0, ms - piece.from) * piece.perMs;
    return Math.round(Math.min(width, Math.max(0, along * scale)));
  };
  return { from: first.from, to: last.to, place, cuts: cuts.map((cut) => Math.round(cut * scale)) };
}

function union(spans: readonly Span[]): Span[] {
  const joined: { from: number; to: number }[] = [];
  for (const { from, to } of spans.toSorted((one, other) => one.from - other.from)) {
    const last = joined.at(-1);
    if (last !== undefined && from <= last.to) last.to = Math.max(last.to, to);
    else joined.push({ from, to });
  }
  return joined;
}
