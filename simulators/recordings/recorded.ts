import type { Step } from '../answers/wire-program.ts';
/** Recorded connections to an upstream, for the captures that `capture-file.ts` reads and writes. */
export const recordedEnds = ['fin', 'rst', 'half-close', 'silence', 'client-left'] as const;

/**
 * How an answer ended: with FIN, with RST, with a half-close while the upstream read on, or with silence until the capture
 * ended. `client-left`: the client disconnected first.
 */
export type RecordedEnd = (typeof recordedEnds)[number];

/** Bytes as text if they are UTF-8, otherwise in base64. */
export type RecordedBytes = { readonly text: string } | { readonly base64: string };

/** The bytes of one read, with their time. */
export type RecordedChunk = { readonly at_ms: number } & RecordedBytes;

/** An answer as it was on the wire, head and chunk sizes included. Times are ms after the request was sent. */
export interface RecordedResponse {
  readonly chunks: readonly RecordedChunk[];
  readonly ended: RecordedEnd;
  readonly ended_at_ms: number;
}

export function bytesOf(recorded: RecordedBytes): Buffer {
  return 'text' in recorded ? Buffer.from(recorded.text) : Buffer.from(recorded.base64, 'base64');
}

export function recordBytes(bytes: Buffer): RecordedBytes {
  const text = bytes.toString('utf8');
  return Buffer.from(text).equals(bytes) ? { text } : { base64: bytes.toString('base64') };
}

/**
 * Replays a recorded answer: the same bytes in the same pieces, each at its time after the request, and the same end at its
 * time. If the client had disconnected, the replay hangs until the client disconnects again.
 */
export function* replaySteps({ chunks, ended, ended_at_ms: endedAtMs }: RecordedResponse): Generator<Step> {
  for (const [at, chunk] of chunks.entries()) {
    yield { do: 'write', label: `chunk-${at}`, bytes: bytesOf(chunk), dueMs: chunk.at_ms };
  }
  yield { do: 'wait', untilMs: endedAtMs };
  // Without a last step, a program ends with FIN, like a complete answer.
  if (ended !== 'fin') yield { do: 'end', by: ended === 'client-left' ? 'silence' : ended };
}
