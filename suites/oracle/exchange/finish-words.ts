import type { Dialect } from '../../profile/dialects.ts';
import type { Said } from './said.ts';

/** The meaning of each dialect's finish reasons in the response table. Missing ones have no certain meaning. */
export const endMeanings: Readonly<Record<Dialect, Readonly<Record<string, string>>>> = {
  'chat-completions': {
    stop: 'stop',
    length: 'length',
    tool_calls: 'tool_calls',
    content_filter: 'content_filter',
  },
  messages: {
    end_turn: 'stop',
    stop_sequence: 'stop',
    max_tokens: 'length',
    tool_use: 'tool_calls',
    refusal: 'content_filter',
  },
  'generate-content': {
    STOP: 'stop',
    MAX_TOKENS: 'length',
    SAFETY: 'content_filter',
    RECITATION: 'content_filter',
    BLOCKLIST: 'content_filter',
    PROHIBITED_CONTENT: 'content_filter',
    SPII: 'content_filter',
  },
};

/** Finish reasons that report a failure, in any dialect. */
const failures = [
  'error',
  'failed',
  'failure',
  'internal_error',
  'server_error',
  'network_error',
  'abort',
  'aborted',
];

/** Whether a finish reason reports a failure. */
export function isFailureWord(dialect: Dialect, word: string | null): boolean {
  return word !== null && endMeanings[dialect][word] === undefined && failures.includes(word.toLowerCase());
}

/**
 * The finish reason of an answer in the response table; null if unknown. A turn that ends normally with tool calls counts as
 * `tool_calls` in every dialect.
 */
export function meaningOf(
  dialect: Dialect,
  { finish, calls }: Pick<Said, 'finish' | 'calls'>,
): string | null {
  const meaning = finish === null ? undefined : endMeanings[dialect][finish];
  if (meaning !== 'stop' && meaning !== 'tool_calls') return meaning ?? null;
  if (calls.length > 0) return 'tool_calls';
  return meaning === 'tool_calls' ? null : meaning;
}
