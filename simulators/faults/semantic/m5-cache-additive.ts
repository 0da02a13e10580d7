import type { Fault } from '../../fault-contract/fault.ts';
import { reporting } from './counted-usage.ts';

/** Almost all of the prompt was written to the cache. Its count is separate from the rest of the prompt. */
export const cacheAdditive: Fault = reporting('M5', () => ({
  input_tokens: 3,
  cache_creation_input_tokens: 12304,
  cache_read_input_tokens: 0,
  cache_creation: { ephemeral_5m_input_tokens: 12304, ephemeral_1h_input_tokens: 0 },
  output_tokens: 550,
}));
