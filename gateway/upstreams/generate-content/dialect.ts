import { isObject } from '../../http/parse-json.ts';
import { createArrayParser } from '../array-parser.ts';
import { callChat } from '../call-chat.ts';
import type { ChatDialect } from '../chat-dialect.ts';
import { askCount } from '../count-prompt.ts';
import { classifyError } from './classify.ts';
import { readCompletion } from './completion.ts';
import { FunctionCalls } from './function-calls.ts';
import { NativeAnswer } from './native-answer.ts';
import { ResponseReader } from './stream.ts';

/** The generate-content dialect: the path names the model and the method. */
export const generateContent: ChatDialect = {
  complete: (
    client,
    newCallId,
    { baseUrl, apiKey, nativeModel, body, givenNames, stream, isFresh, keepNative, gone },
  ) => {
    const method = stream ? 'streamGenerateContent?alt=sse' : 'generateContent';
    const url = `${baseUrl}/models/${encodeURIComponent(nativeModel)}:${method}`;
    const reader = (): ResponseReader =>
      new ResponseReader(new FunctionCalls(newCallId, givenNames), keepNative ? new NativeAnswer() : null);
    return callChat(client, { url, headers: credential(apiKey), body, isFresh, gone }, stream, {
      classify: classifyError,
      completion: (text) => readCompletion(text, reader(), keepNative),
      events: reader,
      jsonEvents: createArrayParser,
    });
  },
  countPrompt: (client, { baseUrl, apiKey, nativeModel, body, gone }) => {
    const url = `${baseUrl}/models/${encodeURIComponent(nativeModel)}:countTokens`;
    return askCount(client, { url, headers: credential(apiKey), body, gone }, (answer) =>
      isObject(answer) ? answer.totalTokens : null,
    );
  },
};

function credential(apiKey: string): Record<string, string> {
  return { 'x-goog-api-key': apiKey };
}
