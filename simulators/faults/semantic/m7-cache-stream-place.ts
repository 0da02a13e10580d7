import type { Fault } from '../../fault-contract/fault.ts';
import { editAnswer } from '../native/edit-answer.ts';
import { mapUsage } from '../native/usage-places.ts';

const counts = {
  input_tokens: 3,
  cache_creation_input_tokens: 2048,
  cache_read_input_tokens: 10000,
  cache_creation: { ephemeral_5m_input_tokens: 2048, ephemeral_1h_input_tokens: 0 },
  output_tokens: 1,
};

const nulls = Object.fromEntries(Object.keys(counts).map((name) => [name, null]));

/**
 * The start of the stream has all input counts, the end only the output count. Forms: the end leaves the others `absent`;
 * it has them as `null`, which says nothing.
 */
export const cacheStreamPlace: Fault = editAnswer('M7', (frames, { dialect, form }) =>
  mapUsage(frames, dialect, (_, isStart) => {
    if (isStart) return counts;
    return { ...(form === 'null' ? nulls : {}), output_tokens: 550 };
  }),
);
