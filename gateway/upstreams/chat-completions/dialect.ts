import { callChat } from '../call-chat.ts';
import type { ChatDialect } from '../chat-dialect.ts';
import { parseJson } from '../read-answer.ts';
import { classifyError } from './classify.ts';
import { readCompletion } from './completion.ts';
import { ChunkReader } from './stream.ts';

/** The chat-completions dialect. It has no call that counts a prompt. */
export const chatCompletions: ChatDialect = {
  complete: (client, newCallId, { baseUrl, apiKey, body, stream, isFresh, gone }) =>
    callChat(
      client,
      {
        url: `${baseUrl}/chat/completions`,
        headers: { authorization: `Bearer ${apiKey}` },
        body,
        isFresh,
        gone,
      },
      stream,
      {
        classify: classifyError,
        completion: (text) => readCompletion(parseJson(text), newCallId),
        events: () => new ChunkReader(newCallId),
      },
    ),
};
