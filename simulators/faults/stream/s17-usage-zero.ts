import { type ChatDialectName, chatDialect } from '../../answers/native-answer.ts';
import type { Fault } from '../../fault-contract/fault.ts';
import { actsOn } from '../native/acts-on.ts';
import { editAnswer } from '../native/edit-answer.ts';
import type { JsonObject } from '../native/json-path.ts';
import { mapUsage } from '../native/usage-places.ts';

/** Counts are reported, and all of them are zero. */
export const usageZero: Fault = editAnswer(
  'S17',
  (frames, { dialect }) => mapUsage(frames, dialect, () => zeroUsage[chatDialect(dialect)]),
  { actsOn: actsOn.usage },
);

const zeroUsage: Readonly<Record<ChatDialectName, JsonObject>> = {
  'chat-completions': { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 },
  messages: {
    input_tokens: 0,
    cache_creation_input_tokens: 0,
    cache_read_input_tokens: 0,
    output_tokens: 0,
  },
  'generate-content': { promptTokenCount: 0, candidatesTokenCount: 0, totalTokenCount: 0 },
};
