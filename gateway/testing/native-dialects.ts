import { delta, type Reply, testUsage, usageFrame } from './fake-upstream.ts';
import { generateError, generateEvent, generateUsage, response } from './generate-content-upstream.ts';
import { blockDelta, messageEnd, messageEvent, messageStart, messageUsage } from './messages-upstream.ts';

/** The test answers of each dialect: the same text and counts in its own format. */
export interface NativeWords {
  readonly name: string;
  readonly model: string;
  readonly channel: string;
  /** A plain answer; members of the second argument replace its own. */
  plain(text: string, more?: object): object;
  /** Stream events before the first text, a text event, and the closing events: reason, counts, marker. */
  readonly opening: readonly string[];
  piece(text: string): string;
  readonly closing: readonly string[];
  /** The error body for a prompt that is too long. */
  readonly tooLong: object;
  /** One event with this body. */
  event(body: object): string;
}

const canary = 'CANARY-8c1f';

const chat: NativeWords = {
  name: 'chat-completions',
  model: 'alpha-5-2',
  channel: 'ch-1',
  plain: (text, more) => ({
    id: 'native-id',
    object: 'chat.completion',
    created: 1,
    model: 'native-name',
    choices: [{ index: 0, message: { role: 'assistant', content: text }, finish_reason: 'stop' }],
    usage: testUsage,
    ...more,
  }),
  opening: [delta({ role: 'assistant', content: '' })],
  piece: (text) => delta({ content: text }),
  closing: [delta({}, 'stop'), usageFrame, 'data: [DONE]\n\n'],
  tooLong: {
    error: {
      message: canary,
      type: 'invalid_request_error',
      code: 'context_length_exceeded',
      param: 'messages',
    },
  },
  event: (body) => `data: ${JSON.stringify(body)}\n\n`,
};

const messages: NativeWords = {
  name: 'messages',
  model: 'beta-large-4-5',
  channel: 'ch-beta',
  plain: (text, more) => ({
    id: 'msg_native',
    type: 'message',
    role: 'assistant',
    model: 'native-name',
    content: [{ type: 'text', text }],
    stop_reason: 'end_turn',
    stop_sequence: null,
    usage: messageUsage,
    ...more,
  }),
  opening: [
    messageStart,
    messageEvent('content_block_start', { index: 0, content_block: { type: 'text', text: '' } }),
  ],
  piece: (text) => blockDelta(0, { type: 'text_delta', text }),
  closing: [messageEvent('content_block_stop', { index: 0 }), ...messageEnd()],
  tooLong: {
    type: 'error',
    error: { type: 'invalid_request_error', message: `prompt is too long: ${canary}` },
    request_id: canary,
  },
  event: (body) => {
    const type = 'type' in body ? String(body.type) : '';
    return `event: ${type}\ndata: ${JSON.stringify(body)}\n\n`;
  },
};

const generate: NativeWords = {
  name: 'generate-content',
  model: 'gamma-3-pro',
  channel: 'ch-gamma',
  plain: (text, more) => response([text], 'STOP', more),
  opening: [],
  piece: (text) => generateEvent(response([text], null, { usageMetadata: undefined })),
  closing: [generateEvent(response([], 'STOP', { usageMetadata: generateUsage }))],
  tooLong: generateError(
    400,
    'INVALID_ARGUMENT',
    `The input token count (9) exceeds the maximum number of tokens allowed (8). ${canary}`,
  ),
  event: generateEvent,
};

export const chatWords = chat;
export const nativeWords: readonly NativeWords[] = [chat, messages, generate];

/** Every dialect, plain and streamed: its name for test titles, and its answers. */
export const everyCall: readonly (readonly [string, boolean, NativeWords])[] = nativeWords.flatMap((words) =>
  [false, true].map((stream) => [`${words.name}, ${stream ? 'streamed' : 'plain'}`, stream, words] as const),
);

/** The complete body of a valid answer, plain or streamed. */
export function goodBody(words: NativeWords, stream: boolean, text = 'Hello'): string {
  if (!stream) return JSON.stringify(words.plain(text));
  return [...words.opening, words.piece(text), ...words.closing].join('');
}

/** An answer with this body and the matching content type. */
export function bodyReply(stream: boolean, body: string | Uint8Array, headers: object = {}): Reply {
  return (sent) => {
    sent.writeHead(200, { 'content-type': stream ? 'text/event-stream' : 'application/json', ...headers });
    sent.end(body);
  };
}
