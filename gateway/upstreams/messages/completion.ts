import { isObject, parseExact } from '../../http/parse-json.ts';
import { broken } from '../json-frames.ts';
import type { Completion, UpstreamFailure } from '../outcome.ts';
import { parseJson } from '../read-answer.ts';
import { wholeAnswer } from '../whole-answer.ts';
import { classifyError } from './classify.ts';
import type { Reading } from './reading.ts';
import { MessageReader } from './stream.ts';

/**
 * Converts the body of a native 200 to a completion, or reports why it is not one. Its blocks are read like those
 * of a stream, parsed again with all digits, which the arguments of calls must keep. `keepNative` keeps the body
 * beside the answer.
 */
export function readCompletion(body: string, reading: Reading): Completion | UpstreamFailure {
  const reader = new MessageReader(reading);
  const exact = parseExact(body.replace(/^\uFEFF/, ''));
  const answer = wholeAnswer(reader, (pieces) => {
    const message = parseJson(body);
    if (!isObject(message)) return broken('no JSON object');
    if (message.type === 'error' || isObject(message.error)) return classifyError(message, 200, {});
    const content = isObject(exact) ? exact.content : undefined;
    // Some servers send the text of an answer without its block.
    const blocks = typeof content === 'string' ? [{ type: 'text', text: content }] : content;
    return Array.isArray(blocks) ? reader.takeMessage(message, blocks, pieces) : broken('no content blocks');
  });
  const isKept = reading.keepNative && isObject(exact) && Array.isArray(exact.content);
  return isKept && answer.kind === 'completion' ? { ...answer, native: exact } : answer;
}
