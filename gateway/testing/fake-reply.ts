import type { BodyStep, UpstreamReply } from '../upstreams/call.ts';
import { type EventReader, NativeStream } from '../upstreams/native-stream.ts';
import type { StreamPiece, StreamStep } from '../upstreams/outcome.ts';

/** An answer whose body arrives in these pieces and then ends normally, unless `last` says otherwise. */
export function replyOf(pieces: readonly Uint8Array[], last: BodyStep = { kind: 'done' }): UpstreamReply {
  const left: BodyStep[] = pieces.map((piece) => ({ kind: 'bytes', bytes: Buffer.from(piece) }));
  return {
    kind: 'reply',
    status: 200,
    headers: {},
    read: () => Promise.resolve(left.shift() ?? last),
    progress: () => {},
    hurry: () => {},
    close: () => {},
  };
}

/** The output of a reader for a body: all pieces in order, and how it ended. */
export async function readPieces(
  reader: EventReader,
  chunks: readonly Uint8Array[],
  last?: BodyStep,
): Promise<{ pieces: StreamPiece[]; end: StreamStep }> {
  const stream = new NativeStream(replyOf(chunks, last), reader);
  const pieces: StreamPiece[] = [];
  for (;;) {
    const step = await stream.next();
    if (step.kind !== 'pieces') return { pieces, end: step };
    pieces.push(...step.pieces);
  }
}

/** Every split of bytes into two, and the split into single bytes. */
export function* everySplit(bytes: Buffer): Generator<readonly Buffer[]> {
  for (let at = 1; at < bytes.length; at += 1) yield [bytes.subarray(0, at), bytes.subarray(at)];
  yield Array.from(bytes, (byte) => Buffer.from([byte]));
}

/** A call as a client has assembled it at the end. */
interface WholeCall {
  readonly id: string;
  readonly name: string;
  readonly arguments: string;
}

/** The calls in a stream, assembled as by a client. Throws if a call does not begin exactly once and in order. */
export function callsIn(pieces: readonly StreamPiece[]): WholeCall[] {
  const calls: WholeCall[] = [];
  for (const piece of pieces) {
    if (piece.kind === 'text' || piece.kind === 'native') continue;
    const call = calls[piece.index];
    if (piece.kind === 'tool_start') {
      if (piece.index !== calls.length) throw new Error(`call ${piece.index} begins out of turn`);
      calls.push({ id: piece.id, name: piece.name, arguments: '' });
    } else {
      if (call === undefined) throw new Error(`call ${piece.index} has not begun`);
      calls[piece.index] = { ...call, arguments: call.arguments + piece.text };
    }
  }
  return calls;
}
