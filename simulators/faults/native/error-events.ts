import {
  type ChatDialectName,
  chatDialect,
  type DialectName,
  type NativeAnswer,
} from '../../answers/native-answer.ts';
import type { JsonObject } from './json-path.ts';
import { framingOf, type NativeEvent, type OpenFrame } from './open-answer.ts';

/** Errors that an upstream may send inside a stream that it cannot continue. */
export const streamErrors = ['overloaded', 'rate-limited', 'server-error', 'context'] as const;
export type StreamError = (typeof streamErrors)[number];

/** The error that a form of a fault selects. Any other form gets the first error. */
export function errorOfForm(form: string | null): StreamError {
  return streamErrors.find((kind) => kind === form) ?? 'overloaded';
}

/** The error as an event of the dialect. */
export function errorEvent(dialect: DialectName, kind: StreamError): NativeEvent {
  return { name: dialect === 'messages' ? 'error' : null, data: errorBodies[chatDialect(dialect)][kind] };
}

/** The end of the stream after an error: nothing, except that an array is closed. */
export function endOfBroken({ given, dueMs }: { given: NativeAnswer; dueMs: number }): OpenFrame[] {
  return framingOf(given) === 'elements' ? [{ label: 'done', dueMs, events: [] }] : [];
}

const chatError = (message: string, type: string, code: string | null, param: string | null): JsonObject => ({
  error: { message, type, param, code },
});

const messagesError = (type: string, message: string): JsonObject => ({
  type: 'error',
  error: { details: null, type, message },
});

const generateError = (code: number, status: string, message: string): JsonObject => ({
  error: { code, message, status },
});

const errorBodies: Readonly<Record<ChatDialectName, Readonly<Record<StreamError, JsonObject>>>> = {
  'chat-completions': {
    overloaded: chatError(
      'The servers are overloaded just now. Try again later.',
      'server_error',
      'server_is_overloaded',
      null,
    ),
    'rate-limited': chatError(
      'Rate limit reached for tokens. Try again in 20s.',
      'tokens',
      'rate_limit_exceeded',
      null,
    ),
    'server-error': chatError('The server failed on this request.', 'server_error', null, null),
    context: chatError(
      "This model's maximum context length is 8192 tokens, but the messages have 9001.",
      'invalid_request_error',
      'context_length_exceeded',
      'messages',
    ),
  },
  messages: {
    overloaded: messagesError('overloaded_error', 'Overloaded'),
    'rate-limited': messagesError(
      'rate_limit_error',
      'The request would exceed the rate limit of the organization',
    ),
    'server-error': messagesError('api_error', 'Internal server error'),
    context: messagesError('invalid_request_error', 'prompt is too long: 210000 tokens > 200000 maximum'),
  },
  'generate-content': {
    overloaded: generateError(503, 'UNAVAILABLE', 'The model is overloaded. Try again later.'),
    'rate-limited': generateError(
      429,
      'RESOURCE_EXHAUSTED',
      'You exceeded your current quota. Please retry in 38.922534355s.',
    ),
    'server-error': generateError(500, 'INTERNAL', 'An internal error has occurred. Try again later.'),
    context: generateError(
      400,
      'INVALID_ARGUMENT',
      'The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).',
    ),
  },
};
