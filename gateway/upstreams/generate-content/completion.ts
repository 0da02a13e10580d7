import { parseObjectText } from '../../http/parse-json.ts';
import type { Completion, UpstreamFailure } from '../outcome.ts';
import { wholeAnswer } from '../whole-answer.ts';
import { inJsonNames } from './proto-names.ts';
import type { ResponseReader } from './stream.ts';

/**
 * Converts the body of a native 200 to a completion, or reports why it is not one. It is read like a stream of one
 * response. With `keepNative` the body is kept beside it.
 */
export function readCompletion(
  sent: string,
  reader: ResponseReader,
  keepNative = false,
): Completion | UpstreamFailure {
  const text = inJsonNames(sent);
  const answer = wholeAnswer(reader, (pieces) => reader.take({ name: '', data: text }, pieces));
  const native = keepNative ? parseObjectText(text.replace(/^\uFEFF/, '')) : null;
  return native === null || answer.kind === 'failure' ? answer : { ...answer, native };
}
