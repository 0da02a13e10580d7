import type { Reply } from '../../simulators/control/client.ts';
import { asStream } from './native/answer.ts';

/**
 * A reply that sends a stream in two writes, cut before byte `place`. The simulated upstream halves a raw body, so
 * comments before or after the stream bring its middle there; they are the shortest that do.
 */
export function splitBefore(stream: Buffer, place: number): Reply {
  const lacking = stream.length - 2 * place;
  const [before, after] = lacking >= 0 ? [comment(lacking), ''] : ['', comment(-lacking)];
  return { ...asStream(before, stream.toString('utf8'), after), gates: ['end'] };
}

/** Between two pieces of a stream: long enough for a reader to see them apart, ms. */
const gapMs = 4;

/** A reply that sends a stream in pieces, cut before each of these bytes (ascending), with a pause at every cut. */
export function cutBefore(stream: Buffer, places: readonly number[]): Reply {
  const head = Buffer.from('HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\nconnection: close\r\n\r\n');
  const from = [0, ...places];
  const pieces = [head, ...from.map((start, index) => stream.subarray(start, from[index + 1]))];
  const chunks = pieces.map((piece, index) => ({ at_ms: index * gapMs, base64: piece.toString('base64') }));
  return { replay: { chunks, ended: 'fin', ended_at_ms: pieces.length * gapMs } };
}

/** Every place at which a stream can be split, in sets whose places are `step` bytes apart. */
export function placesApart(stream: Buffer, step: number): number[][] {
  return Array.from({ length: Math.min(step, stream.length - 1) }, (_, first) =>
    Array.from({ length: Math.ceil((stream.length - 1 - first) / step) }, (_, nth) => first + 1 + nth * step),
  );
}

/** Lines of a stream that say nothing, of exactly this many bytes. */
function comment(bytes: number): string {
  return bytes < 2 ? '\n'.repeat(bytes) : `:${'x'.repeat(bytes - 2)}\n`;
}

/** Places within a stream where readers are known to stumble: inside characters, and between the parts of line ends and fields. */
export function hardPlaces(stream: Buffer): number[] {
  return Array.from({ length: stream.length - 1 }, (_, index) => index + 1).filter((place) => {
    const [before, at] = [stream[place - 1] ?? 0, stream[place] ?? 0];
    const insideCharacter = (at & 0xc0) === 0x80;
    const atLineEnd = before === 0x0a || before === 0x0d || at === 0x0a;
    return insideCharacter || atLineEnd;
  });
}
