import { chatDialect, type DialectName } from '../../answers/native-answer.ts';
import type { Fault } from '../../fault-contract/fault.ts';
import type { JsonObject } from '../native/json-path.ts';
import { reporting } from './counted-usage.ts';

const prompt = 40;
const usualOutput = 12;
/** The amount by which a wrong total exceeds the sum. */
const surplus = 1000;

/** Impossible counts. Forms: the `total` is not the sum; the output is `negative`; the output is `huge`. */
export const totalsDisagree: Fault = reporting('M10', ({ dialect, form }) => {
  const output = form === 'negative' ? -7 : form === 'huge' ? 1e12 : usualOutput;
  const total = prompt + output + (form === 'negative' || form === 'huge' ? 0 : surplus);
  return countsOf(dialect, output, total);
});

function countsOf(dialect: DialectName, output: number, total: number): JsonObject {
  switch (chatDialect(dialect)) {
    case 'chat-completions':
      return { prompt_tokens: prompt, completion_tokens: output, total_tokens: total };
    case 'messages':
      // The dialect has no total; upstreams that imitate it add one.
      return {
        input_tokens: prompt,
        cache_creation_input_tokens: 0,
        cache_read_input_tokens: 0,
        output_tokens: output,
        total_tokens: total,
      };
    case 'generate-content':
      return { promptTokenCount: prompt, candidatesTokenCount: output, totalTokenCount: total };
  }
}
