import { chatDialect } from '../../answers/native-answer.ts';
import type { Fault } from '../../fault-contract/fault.ts';
import type { JsonObject } from '../native/json-path.ts';
import { reporting } from './counted-usage.ts';

const prompt = 75;
const reasoning = 1024;
const spoken = 162;
const output = reasoning + spoken;

/**
 * Most of the output is reasoning. Forms: `as-named`: the dialect's names say whether it is part of the output count.
 * `as-total`: the total proves the opposite. `uncounted`: only the total includes the rest of the output.
 */
export const reasoningTokens: Fault = reporting('M9', ({ dialect, form }) => {
  switch (chatDialect(dialect)) {
    case 'chat-completions':
      return chatCounts(form === 'as-total' ? spoken : output, form === 'uncounted');
    case 'messages':
      return {
        input_tokens: prompt,
        cache_creation_input_tokens: 0,
        cache_read_input_tokens: 0,
        output_tokens: output,
        output_tokens_details: { thinking_tokens: reasoning },
      };
    case 'generate-content':
      return {
        promptTokenCount: prompt,
        ...(form === 'uncounted' ? {} : { candidatesTokenCount: form === 'as-total' ? output : spoken }),
        thoughtsTokenCount: reasoning,
        totalTokenCount: prompt + output,
        promptTokensDetails: [{ modality: 'TEXT', tokenCount: prompt }],
      };
  }
});

function chatCounts(completion: number, isUncounted: boolean): JsonObject {
  return {
    prompt_tokens: prompt,
    completion_tokens: isUncounted ? null : completion,
    total_tokens: prompt + output,
    prompt_tokens_details: { cached_tokens: 0, audio_tokens: 0 },
    completion_tokens_details: { reasoning_tokens: reasoning, audio_tokens: 0 },
  };
}
