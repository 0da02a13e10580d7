import type { Reply } from 'gatecheck-simulators/client';
import { asStream } from './native/answer.ts';

/**
 * A reply that sends a stream in two writes, split before byte `place`.
 * The simulated upstream splits a raw body in half. The shortest possible comments before or after the stream
 * move its middle there.
 */
export function splitBefore(stream: Buffer, place: number): Reply {
  const lacking = stream.length - 2 * place;
  const [before, after] = lacking >= 0 ? [comment(lacking), ''] : ['', comment(-lacking)];
  return { ...asStream(before, stream.toString('utf8'), after), gates: ['end'] };
}

/** The pause between two pieces of a stream, ms: long enough for a reader to receive them separately. */
const gapMs = 4;

/** A reply that sends a stream in pieces, with a pause before each of these byte offsets (ascending). */
export function cutBefore(stream: Buffer, places: readonly number[]): Reply {
  const head = Buffer.from('HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\nconnection: close\r\n\r\n');
  const from = [0, ...places];
  const pieces = [head, ...from.map((start, index) => stream.subarray(start, from[index + 1]))];
  const chunks = pieces.map((piece, index) => ({ at_ms: index * gapMs, base64: piece.toString('base64') }));
  return { replay: { chunks, ended: 'fin', ended_at_ms: pieces.length * gapMs } };
}

/** All offsets at which a stream can be split, in sets of offsets that are `step` bytes apart. */
export function placesApart(stream: Buffer, step: number): number[][] {
  return Array.from({ length: Math.min(step, stream.length - 1) }, (_, first) =>
    Array.from({ length: Math.ceil((stream.length - 1 - first) / step) }, (_, nth) => first + 1 + nth * step),
  );
}

/** Comment lines of exactly this many bytes. */
function comment(bytes: number): string {
  return bytes < 2 ? '\n'.repeat(bytes) : `:${'x'.repeat(bytes - 2)}\n`;
}

/** Offsets where parsers are known to fail: inside characters, and inside line ends and fields. */
export function hardPlaces(stream: Buffer): number[] {
  return Array.from({ length: stream.length - 1 }, (_, index) => index + 1).filter((place) => {
    const [before, at] = [stream[place - 1] ?? 0, stream[place] ?? 0];
    const insideCharacter = (at & 0xc0) === 0x80;
    const atLineEnd = before === 0x0a || before === 0x0d || at === 0x0a;
    return insideCharacter || atLineEnd;
  });
}
