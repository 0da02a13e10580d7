import { isObject } from '../../http/parse-json.ts';
import { callChat } from '../call-chat.ts';
import type { ChatDialect, CountCall } from '../chat-dialect.ts';
import { askCount } from '../count-prompt.ts';
import { classifyError } from './classify.ts';
import { readCompletion } from './completion.ts';
import { MessageReader } from './stream.ts';

/** The dialect version that the gateway uses. */
const version = '2023-06-01';

/** The messages dialect. */
export const messages: ChatDialect = {
  complete: (client, newCallId, call) => {
    const { baseUrl, body, stream, isFresh, gone, textTool = null, keepNative } = call;
    const reading = { textTool, newCallId, keepNative };
    return callChat(
      client,
      { url: `${baseUrl}/messages`, headers: headersOf(call), body, isFresh, gone },
      stream,
      {
        classify: classifyError,
        completion: (text) => readCompletion(text, reading),
        events: () => new MessageReader(reading),
      },
    );
  },
  countPrompt: (client, call) => {
    const { baseUrl, body, gone } = call;
    const url = `${baseUrl}/messages/count_tokens`;
    return askCount(client, { url, headers: headersOf(call), body, gone }, (answer) =>
      isObject(answer) ? answer.input_tokens : undefined,
    );
  },
};

function headersOf({ apiKey, headers }: CountCall): Record<string, string> {
  return { ...headers, 'x-api-key': apiKey, 'anthropic-version': version };
}
