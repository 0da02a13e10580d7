import type { NativeAnswer } from '../../answers/native-answer.ts';
import type { Fault } from '../../fault-contract/fault.ts';
import { windowExceeded } from '../../providers/chat-completions/errors.ts';
import { badRequest, inputTooLong } from '../../providers/generate-content/errors.ts';
import { invalidRequest, promptTooLong } from '../../providers/messages/errors.ts';
import { chatRefusal, generateRefusal, messagesRefusal, oneBody, refusing } from '../native/refusal.ts';

/**
 * Only one dialect has an error code for this. In other dialects, and on servers that imitate them, only the message states
 * it.
 */
export const contextLength: Fault = refusing('H16', {
  'chat-completions': ({ form }) =>
    form === 'other-words' ? withoutCode() : chatRefusal(windowExceeded(128_000, 131_072, null)),
  messages: (context) =>
    messagesRefusal(
      context.form === 'other-words'
        ? invalidRequest('input length and `max_tokens` exceed context limit: 199000 + 8192 > 200000')
        : promptTooLong(214_000, 200_000),
      context,
    ),
  'generate-content': ({ form }) =>
    generateRefusal(
      form === 'other-words'
        ? badRequest('The input token count is 2500030, but the model only supports up to 2000000.')
        : inputTooLong(2_500_030, 2_000_000),
    ),
});

/** Servers of open models send the status as the error code. */
function withoutCode(): NativeAnswer {
  const error = {
    message: "This model's maximum context length is 8192 tokens, but the request has 9001.",
    type: 'BadRequestError',
    param: null,
    code: 400,
  };
  const headers = { 'content-type': 'application/json' };
  return oneBody('chat-completions', { status: 400, headers, body: Buffer.from(JSON.stringify({ error })) });
}
