import type { Fault } from '../../fault-contract/fault.ts';
import { reporting } from './counted-usage.ts';

/** What was written to the cache is told by its life as well. In the form `disagrees` that is not its sum. */
export const cacheSplit: Fault = reporting('M6', ({ form }) => ({
  input_tokens: 3,
  cache_creation_input_tokens: 100,
  cache_read_input_tokens: 50,
  cache_creation: {
    ephemeral_5m_input_tokens: form === 'disagrees' ? 90 : 60,
    ephemeral_1h_input_tokens: 40,
  },
  output_tokens: 25,
}));
