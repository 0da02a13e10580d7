import type { Frame, NativeAnswer } from '../../answers/native-answer.ts';
import { chunkOf, headBytes, headStep, lastChunkStep, wireHeaders } from '../../answers/wire-form.ts';
import type { Step } from '../../answers/wire-program.ts';

/** The pause between two writes of one frame, ms. The reader receives the first write before the second arrives. */
const gapMs = 3;

/**
 * The whole answer, with frames split into writes at byte offsets. Each write is its own HTTP chunk, or with
 * `inOneChunk` a part of the frame's chunk. `waitMs` is the pause between two writes of one frame.
 */
export function splitSteps(
  answer: NativeAnswer,
  offsetsIn: (bytes: Buffer) => readonly number[],
  { inOneChunk = false, waitMs }: { inOneChunk?: boolean; waitMs?: number | null } = {},
): Step[] {
  const head = headStep(answer, headBytes(answer.status, wireHeaders(answer, 'chunked')));
  const body = answer.frames.flatMap((frame): Step[] => {
    const pieces = piecesOf(frame, offsetsIn(frame.bytes), inOneChunk);
    return pieces.map((bytes, at) => ({
      do: 'write',
      label: frame.label,
      bytes,
      dueMs: frame.dueMs + at * (waitMs ?? gapMs),
    }));
  });
  return [head, ...body, lastChunkStep(answer)];
}

function piecesOf({ bytes }: Frame, offsets: readonly number[], inOneChunk: boolean): Buffer[] {
  const bounds = [0, ...offsets.filter((offset) => offset > 0 && offset < bytes.length), bytes.length];
  const pieces = bounds.slice(1).map((to, at) => bytes.subarray(bounds[at], to));
  const filled = pieces.filter((piece) => piece.length > 0);
  if (!inOneChunk) return filled.map(chunkOf);
  const size = Buffer.from(`${bytes.length.toString(16)}\r\n`);
  return filled.map((piece, at) =>
    Buffer.concat([
      ...(at === 0 ? [size] : []),
      piece,
      ...(at === filled.length - 1 ? [Buffer.from('\r\n')] : []),
    ]),
  );
}
