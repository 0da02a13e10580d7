import { type ChatDialectName, chatDialect } from '../../answers/native-answer.ts';
import type { Fault } from '../../fault-contract/fault.ts';
import type { JsonObject } from '../native/json-path.ts';
import { reporting } from './counted-usage.ts';

/**
 * Most of the output is reasoning. Two dialects include it in the output count; the third counts it separately.
 */
export const reasoningTokens: Fault = reporting('M9', ({ dialect }) => counts[chatDialect(dialect)]);

const counts: Readonly<Record<ChatDialectName, JsonObject>> = {
  'chat-completions': {
    prompt_tokens: 75,
    completion_tokens: 1186,
    total_tokens: 1261,
    prompt_tokens_details: { cached_tokens: 0, audio_tokens: 0 },
    completion_tokens_details: { reasoning_tokens: 1024, audio_tokens: 0 },
  },
  messages: {
    input_tokens: 75,
    cache_creation_input_tokens: 0,
    cache_read_input_tokens: 0,
    output_tokens: 1186,
    output_tokens_details: { thinking_tokens: 1024 },
  },
  'generate-content': {
    promptTokenCount: 75,
    candidatesTokenCount: 162,
    thoughtsTokenCount: 1024,
    totalTokenCount: 1261,
    promptTokensDetails: [{ modality: 'TEXT', tokenCount: 75 }],
  },
};
