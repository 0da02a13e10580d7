import { STATUS_CODES } from 'node:http';
import { type CutPoint, framesBefore } from './cut-point.ts';
import type { Frame, NativeAnswer } from './native-answer.ts';
import type { Step, WireEnd } from './wire-program.ts';

/** How a body is delimited: by chunks, by a content length, or by the end of the connection. */
export type Delimiter = 'chunked' | 'length' | 'none';

/** A status line and headers in the order and case given; pairs allow a name twice. */
export function headBytes(
  status: number,
  headers: Readonly<Record<string, string>> | readonly (readonly [string, string])[],
): Buffer {
  const pairs = Array.isArray(headers) ? headers : Object.entries(headers);
  const lines = pairs.map(([name, value]) => `${name}: ${value}\r\n`);
  return Buffer.from(`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\n${lines.join('')}\r\n`, 'latin1');
}

/** One chunk of a chunked body. */
export function chunkOf(bytes: Buffer): Buffer {
  if (bytes.length === 0) return bytes;
  return Buffer.concat([Buffer.from(`${bytes.length.toString(16)}\r\n`), bytes, Buffer.from('\r\n')]);
}

/** The last chunk, which ends a chunked body. */
export const lastChunk: Buffer = Buffer.from('0\r\n\r\n');

/** Frames as one chunk each; with `isLast` the end of the body as well. */
export function chunksOf(frames: readonly Pick<Frame, 'bytes'>[], isLast: boolean): Buffer {
  let most = isLast ? lastChunk.length : 0;
  for (const { bytes } of frames) most += bytes.length + longestChunkHead;
  const whole = Buffer.allocUnsafe(most);
  let at = 0;
  for (const { bytes } of frames) {
    if (bytes.length === 0) continue;
    at += whole.write(`${bytes.length.toString(16)}\r\n`, at, 'latin1');
    whole.set(bytes, at);
    at += bytes.length;
    at += whole.write('\r\n', at, 'latin1');
  }
  if (isLast) at += whole.write('0\r\n\r\n', at, 'latin1');
  return whole.subarray(0, at);
}

/** Bytes: a size in hexadecimal and two line ends. The size of a frame has fewer than 13 digits. */
const longestChunkHead = 17;

/** The delimiter that an ordinary server would choose. */
export function usualDelimiter({ call }: Pick<NativeAnswer, 'call'>): Delimiter {
  return call === 'plain' ? 'length' : 'chunked';
}

/** The headers of the answer with its delimiter. They announce that the connection closes after it. */
export function wireHeaders(answer: NativeAnswer, delimiter = usualDelimiter(answer)): [string, string][] {
  const length = answer.frames.reduce((sum, { bytes }) => sum + bytes.length, 0);
  const delimiterHeaders: Readonly<Record<Delimiter, [string, string][]>> = {
    chunked: [['transfer-encoding', 'chunked']],
    length: [['content-length', String(length)]],
    none: [],
  };
  return [...Object.entries(answer.headers), ['connection', 'close'], ...delimiterHeaders[delimiter]];
}

/** The write of a head: at once for a stream, else when the body is due. */
export function headStep(answer: NativeAnswer, bytes: Buffer): Step {
  const dueMs = answer.call === 'plain' ? (answer.frames[0]?.dueMs ?? 0) : 0;
  return { do: 'write', label: 'head', bytes, dueMs };
}

export function frameSteps(frames: readonly Frame[], delimiter: Delimiter): Step[] {
  return frames
    .filter(({ bytes }) => bytes.length > 0)
    .map(({ label, bytes, dueMs }) => ({
      do: 'write',
      label,
      bytes: delimiter === 'chunked' ? chunkOf(bytes) : bytes,
      dueMs,
    }));
}

/** Head and frames without the last chunk, so that a fault can still change the ending. */
export function openSteps(answer: NativeAnswer, delimiter = usualDelimiter(answer)): Step[] {
  const head = headStep(answer, headBytes(answer.status, wireHeaders(answer, delimiter)));
  return [head, ...frameSteps(answer.frames, delimiter)];
}

/** The whole answer as an ordinary server writes it. */
export function standardSteps(answer: NativeAnswer, delimiter = usualDelimiter(answer)): Step[] {
  const open = openSteps(answer, delimiter);
  return delimiter === 'chunked' ? [...open, lastChunkStep(answer)] : open;
}

export function lastChunkStep({ frames }: NativeAnswer): Step {
  return { do: 'write', label: 'last-chunk', bytes: lastChunk, dueMs: frames.at(-1)?.dueMs ?? 0 };
}

/** The head of the whole answer, its body up to a point, and the given end. */
export function cutSteps(
  answer: NativeAnswer,
  point: CutPoint,
  by: WireEnd,
  delimiter = usualDelimiter(answer),
): Step[] {
  const head = headStep(answer, headBytes(answer.status, wireHeaders(answer, delimiter)));
  const { frames, wireTail } = framesBefore(answer, point);
  const tail: Step[] =
    wireTail === null
      ? []
      : [{ do: 'write', label: wireTail.label, bytes: wireTail.bytes, dueMs: wireTail.dueMs }];
  return [head, ...frameSteps(frames, delimiter), ...tail, { do: 'end', by }];
}
