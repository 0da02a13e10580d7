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
