import { isObject } from '../../http/parse-json.ts';
import { callChat } from '../call-chat.ts';
import type { ChatDialect } from '../chat-dialect.ts';
import { askCount } from '../count-prompt.ts';
import { classifyError } from './classify.ts';
import { readCompletion } from './completion.ts';
import { MessageReader } from './stream.ts';

/** The version of the dialect that is spoken here. */
const VERSION = '2023-06-01';

/** The messages dialect. */
export const messages: ChatDialect = {
  complete: (client, newCallId, { baseUrl, apiKey, body, stream, gone, textTool = null, keepNative }) => {
    const reading = { textTool, newCallId, keepNative };
    return callChat(client, { url: `${baseUrl}/messages`, headers: headersFor(apiKey), body, gone }, stream, {
      classify: classifyError,
      completion: (text) => readCompletion(text, reading),
      events: () => new MessageReader(reading),
    });
  },
  countPrompt: (client, { baseUrl, apiKey, body, gone }) =>
    askCount(
      client,
      { url: `${baseUrl}/messages/count_tokens`, headers: headersFor(apiKey), body, gone },
      (answer) => (isObject(answer) ? answer.input_tokens : undefined),
    ),
};

function headersFor(apiKey: string): Record<string, string> {
  return { 'x-api-key': apiKey, 'anthropic-version': VERSION };
}
