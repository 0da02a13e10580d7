import { type Completion, failure, type StreamPiece, type UpstreamFailure } from '../outcome.ts';
import { completionOf } from '../whole-answer.ts';
import type { ResponseReader } from './stream.ts';

/** Turns the body of a native 200 into a completion, or says why it is none: a plain answer is a stream of one response. */
export function readCompletion(text: string, reader: ResponseReader): Completion | UpstreamFailure {
  const pieces: StreamPiece[] = [];
  const end = reader.take({ name: '', data: text }, pieces) ?? reader.ended();
  if (end.kind === 'failure') return { ...end, status: 200 };
  return end.kind === 'end' ? completionOf(pieces, end) : failure('unusable', 'no answer', { status: 200 });
}
