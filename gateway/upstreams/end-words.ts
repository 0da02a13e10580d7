import { isObject } from '../http/parse-json.ts';
import type { FinishReason } from './outcome.ts';

/** The meaning of an upstream's finish reason. */
export interface EndWord {
  /** `failed`: the upstream gave up. `garbled`: the model's answer to this request makes no sense. */
  readonly meaning: FinishReason | 'failed' | 'garbled';
  readonly native: string;
  /** False if the meaning is a guess. */
  readonly isKnown: boolean;
}

/** Known finish reasons in lower case, of all dialects: providers of one dialect also use those of another. */
const known: Readonly<Record<EndWord['meaning'], readonly string[]>> = {
  stop: ['stop', 'end_turn', 'stop_sequence', 'eos', 'eos_token', 'complete', 'completed'],
  length: [
    ...['length', 'max_tokens', 'max_length', 'max_output_tokens', 'model_length'],
    // The turn would go on with another request.
    ...['model_context_window_exceeded', 'pause_turn', 'compaction', 'incomplete'],
  ],
  tool_calls: ['tool_calls', 'tool_call', 'tool_use', 'function_call'],
  content_filter: [
    ...['content_filter', 'content_filtered', 'refusal', 'sensitive', 'guardrail_intervened', 'error_toxic'],
    ...['safety', 'recitation', 'blocklist', 'prohibited_content', 'spii', 'language', 'model_armor'],
    ...['image_safety', 'image_prohibited_content', 'image_recitation'],
  ],
  failed: [
    ...['error', 'abort', 'aborted', 'cancelled', 'canceled', 'failed', 'timeout', 'interrupted'],
    ...['insufficient_system_resource', 'network_error', 'engine_error'],
  ],
  garbled: [
    ...['malformed_function_call', 'unexpected_tool_call', 'too_many_tool_calls'],
    ...['malformed_tool_use', 'malformed_model_output'],
    // The provider does not say why; more often than not the request itself is the reason.
    ...['missing_thought_signature', 'malformed_response', 'other'],
  ],
};

const meanings = new Map(
  Object.entries(known).flatMap(([meaning, words]) =>
    words.map((word) => [word, meaning as EndWord['meaning']] as const),
  ),
);

/** Parts of unknown finish reasons that show an incomplete answer. */
const hints: readonly (readonly [RegExp, EndWord['meaning']])[] = [
  // First: some name the filter that found it.
  [/malformed|invalid_(?:tool|output|function)|unexpected_tool/, 'garbled'],
  [/error|abort|cancel|fail|time_?out|interrupt|unavailable|overload/, 'failed'],
  [/filter|safety|polic|moderat|prohibit|refus|blocked/, 'content_filter'],
  [/length|max_|limit|truncat|window/, 'length'],
];

/** Values that stand for no finish reason. */
const placeholders: readonly unknown[] = ['', 'null', 'none', 'finish_reason_unspecified'];

/** Interprets a finish reason; null if there is none. An unknown one without a hint means a regular end. */
export function endWordIn(native: unknown): EndWord | null {
  // A number of an unknown list: zero is the value that stands for none.
  if (typeof native === 'number')
    return native === 0 ? null : { meaning: 'stop', native: String(native), isKnown: false };
  // Some servers add the length that they stopped at.
  if (isObject(native)) return endWordIn(native.type);
  if (typeof native !== 'string') return null;
  const word = native.toLowerCase();
  if (placeholders.includes(word)) return null;
  const meaning = meanings.get(word);
  if (meaning !== undefined) return { meaning, native, isKnown: true };
  const hinted = hints.find(([pattern]) => pattern.test(word))?.[1];
  return { meaning: hinted ?? 'stop', native, isKnown: false };
}
