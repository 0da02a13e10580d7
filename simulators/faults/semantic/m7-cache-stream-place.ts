import type { Fault } from '../../fault-contract/fault.ts';
import { editAnswer } from '../native/edit-answer.ts';
import type { JsonObject } from '../native/json-path.ts';
import { mapUsage } from '../native/usage-places.ts';

const input = {
  input_tokens: 3,
  cache_creation_input_tokens: 2048,
  cache_read_input_tokens: 10000,
};
const lifetimes = { ephemeral_5m_input_tokens: 2048, ephemeral_1h_input_tokens: 0 };
const output = 550;

/**
 * Where a stream has its input counts. Forms: the start has them, and the end leaves them `absent`, has `null`, has them
 * `repeated` or has `zero`. In `at-end`, the start has zeros and only the end counts.
 */
export const cacheStreamPlace: Fault = editAnswer('M7', (frames, { dialect, form }) =>
  mapUsage(frames, dialect, (_, isStart) => {
    if (isStart)
      return form === 'at-end'
        ? { ...inputAs(0), output_tokens: 0 }
        : { ...input, cache_creation: lifetimes, output_tokens: 1 };
    return { ...atEnd(form), output_tokens: output };
  }),
);

function atEnd(form: string | null): JsonObject {
  if (form === 'null') return { ...inputAs(null), cache_creation: null };
  if (form === 'zero') return inputAs(0);
  return form === 'repeated' || form === 'at-end' ? input : {};
}

function inputAs(value: 0 | null): JsonObject {
  return Object.fromEntries(Object.keys(input).map((name) => [name, value]));
}
