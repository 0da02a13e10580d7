import type { Frame, NativeAnswer } from '../../answers/native-answer.ts';
import { withHeaders } from '../../answers/whole-answer.ts';
import type { Fault } from '../../fault-contract/fault.ts';
import { frameOf } from '../native/answer-json.ts';
import { gzipFrames, gzipTrailerBytes } from './compressed.ts';

/** How many deltas of a stream still arrive. */
const defaultAfter = 1;

/** HTTP sees a complete answer. Only decoding reveals the missing end. */
export const gzipCut: Fault = {
  id: 'P3',
  kind: 'edit',
  answer: (given, { form, after }) => {
    const compressed = { ...given, frames: gzipFrames(given.frames) };
    const headers = withHeaders(given.headers, { 'content-encoding': 'gzip' });
    const frames =
      form === 'checksum' ? withoutTrailer(compressed.frames) : upToHalf(compressed, after ?? defaultAfter);
    return { ...compressed, headers, frames };
  },
};

function withoutTrailer(frames: readonly Frame[]): Frame[] {
  return frames.map((frame, at) =>
    at === frames.length - 1
      ? { ...frame, bytes: frame.bytes.subarray(0, frame.bytes.length - gzipTrailerBytes) }
      : frame,
  );
}

function upToHalf(answer: NativeAnswer, after: number): Frame[] {
  const last = frameOf(answer, after);
  return answer.frames
    .slice(0, last + 1)
    .map((frame, at) =>
      at === last ? { ...frame, bytes: frame.bytes.subarray(0, Math.floor(frame.bytes.length / 2)) } : frame,
    );
}
