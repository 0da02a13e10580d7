import type { Fault } from '../../fault-contract/fault.ts';
import { reporting } from './counted-usage.ts';

/** Cache writes are also reported by lifetime. In the form `disagrees` the parts do not add up to the total. */
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
