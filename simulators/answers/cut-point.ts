import type { Frame, NativeAnswer } from './native-answer.ts';

/** The named cut points: four inside a frame, then two before a part of the ending. */
export const namedCutPoints = [
  'inside-utf8',
  'between-cr-lf',
  'inside-json',
  'before-blank-line',
  'before-usage',
  'before-done',
] as const;
export type NamedCutPoint = (typeof namedCutPoints)[number];

/**
 * Where an answer breaks off. `delta` selects the delta for a point inside a delta. Default: the first delta that has the
 * point.
 */
export interface CutPoint {
  readonly after: number | 'head' | 'finish' | NamedCutPoint;
  readonly delta?: number;
}

/** The part of an answer before a cut point. */
export interface PartBeforeCut {
  /** The last frame may be incomplete. */
  readonly frames: readonly Frame[];
  /** Raw bytes, chunk size included, for a point inside the transfer coding. */
  readonly wireTail: Frame | null;
}

/**
 * The frames before a point. In a plain answer every point after the head lies inside the body.
 * A point that a stream does not have lies before its ending, so no scripted cut gets lost.
 */
export function framesBefore(answer: NativeAnswer, point: CutPoint): PartBeforeCut {
  const { frames, call } = answer;
  const { after } = point;
  if (after === 'head' || (call === 'plain' && after === 0)) return until(frames, 0);
  if (call === 'plain') return insidePlain(frames, after);
  if (typeof after === 'number') return until(frames, deltaAt(frames, after));
  switch (after) {
    case 'finish':
      return until(frames, indexOf(frames, 'finish', frames.length - 1) + 1);
    case 'before-usage':
      // If no frame carries usage alone, the finish frame counts as the usage frame.
      return until(frames, indexOf(frames, 'usage', indexOf(frames, 'finish', endingAt(frames))));
    case 'before-done':
      return until(frames, indexOf(frames, 'done', frames.length));
    default:
      return insideDelta(frames, after, point.delta);
  }
}

/** Whether a frame carries content. Only these frames count as deltas. */
export function isDelta({ label }: Frame): boolean {
  return label === 'body' || label.startsWith('delta-');
}

/** Whether a frame comes after the last delta. */
export function isEnding({ label }: Frame): boolean {
  return label === 'body-rest' || label === 'finish' || label === 'usage' || label === 'done';
}

function until(frames: readonly Frame[], end: number): PartBeforeCut {
  return { frames: frames.slice(0, end), wireTail: null };
}

function deltaAt(frames: readonly Frame[], k: number): number {
  let seen = 0;
  const at = frames.findIndex((frame) => {
    if (isDelta(frame)) seen += 1;
    return seen > k;
  });
  return at === -1 ? endingAt(frames) : at;
}

function endingAt(frames: readonly Frame[]): number {
  const at = frames.findIndex(isEnding);
  return at === -1 ? frames.length : at;
}

function indexOf(frames: readonly Frame[], label: string, otherwise: number): number {
  const at = frames.findIndex((frame) => frame.label === label);
  return at === -1 ? otherwise : at;
}

function insidePlain(frames: readonly Frame[], after: CutPoint['after']): PartBeforeCut {
  const [body] = frames;
  if (body === undefined) return until(frames, 0);
  const named = isInside(after) ? offsetOf(after, body.bytes) : null;
  const half = boundaryBefore(body.bytes, Math.floor(body.bytes.length / 2));
  return { frames: [partOf(body, named ?? half)], wireTail: null };
}

function insideDelta(frames: readonly Frame[], point: InsidePoint, delta: number | undefined): PartBeforeCut {
  const from = delta === undefined ? 0 : deltaAt(frames, delta);
  for (const [at, frame] of frames.entries()) {
    if (at < from || !isDelta(frame)) continue;
    const offset = offsetOf(point, frame.bytes);
    if (offset !== null) return { frames: [...frames.slice(0, at), partOf(frame, offset)], wireTail: null };
    // Event lines may end with LF alone; the HTTP chunks around them end with CRLF.
    if (point === 'between-cr-lf') return { frames: frames.slice(0, at), wireTail: withoutLastLf(frame) };
    if (delta !== undefined) break;
  }
  return until(frames, endingAt(frames));
}

type InsidePoint = 'inside-utf8' | 'between-cr-lf' | 'inside-json' | 'before-blank-line';

function isInside(after: CutPoint['after']): after is InsidePoint {
  return (
    after === 'inside-utf8' ||
    after === 'between-cr-lf' ||
    after === 'inside-json' ||
    after === 'before-blank-line'
  );
}

function offsetOf(point: InsidePoint, bytes: Buffer): number | null {
  switch (point) {
    case 'inside-utf8':
      return pastFirst(bytes.findIndex((byte) => byte >= 0xc0));
    case 'between-cr-lf':
      return pastFirst(bytes.indexOf('\r\n'));
    case 'before-blank-line': {
      const crlf = bytes.indexOf('\r\n\r\n');
      return crlf === -1 ? pastFirst(bytes.indexOf('\n\n')) : crlf + 2;
    }
    case 'inside-json': {
      const [from, to] = [bytes.indexOf('{'), bytes.lastIndexOf('}')];
      return to <= from || from === -1 ? null : boundaryBefore(bytes, Math.floor((from + to) / 2));
    }
  }
}

function pastFirst(at: number): number | null {
  return at === -1 ? null : at + 1;
}

/** The last offset up to `at` that splits no character. */
function boundaryBefore(bytes: Buffer, at: number): number {
  let boundary = at;
  while (boundary > 0 && ((bytes[boundary] ?? 0) & 0xc0) === 0x80) boundary -= 1;
  return boundary;
}

function partOf(frame: Frame, end: number): Frame {
  return { ...frame, bytes: frame.bytes.subarray(0, end) };
}

function withoutLastLf(frame: Frame): Frame {
  const size = Buffer.from(`${frame.bytes.length.toString(16)}\r\n`);
  return { ...frame, bytes: Buffer.concat([size, frame.bytes, Buffer.from('\r')]) };
}
