import type { Dialect } from '../../profile/dialects.ts';
import type { Said } from './said.ts';

/** What the words of a dialect mean in the response table; what is missing there means nothing certain. */
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

/** Words by which an upstream says that it failed, in any dialect. */
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

/** Whether an end word says that the answer failed. */
export function isFailureWord(dialect: Dialect, word: string | null): boolean {
  return word !== null && endMeanings[dialect][word] === undefined && failures.includes(word.toLowerCase());
}

/**
 * What the end of an answer means in the response table; null if unknown. A turn that ends by itself and calls tools
 * ends in these calls, whatever its dialect calls that.
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
