import { parseObjectText } from '../../http/parse-json.ts';
import { type Completion, failure, type StreamPiece, type UpstreamFailure } from '../outcome.ts';
import { completionOf } from '../whole-answer.ts';
import type { ResponseReader } from './stream.ts';

/**
 * Converts the body of a native 200 to a completion, or reports why it is not one. It is read like a stream of one
 * response. With `keepNative` the body is kept beside it.
 */
export function readCompletion(
  text: string,
  reader: ResponseReader,
  keepNative = false,
): Completion | UpstreamFailure {
  const pieces: StreamPiece[] = [];
  const end = reader.take({ name: '', data: text }, pieces) ?? reader.ended();
  if (end.kind === 'failure') return { ...end, status: 200 };
  if (end.kind !== 'end') return failure('unusable', 'no answer', { status: 200 });
  const completion = completionOf(pieces, end);
  const native = keepNative ? parseObjectText(text.replace(/^\uFEFF/, '')) : null;
  return native === null ? completion : { ...completion, native };
}
