import type { Fault } from '../../fault-contract/fault.ts';
import { reporting } from './counted-usage.ts';

const prompt = 2006;
const completion = 300;

/**
 * Cached tokens are included in the prompt count. Forms: under the usual name (`part`); under `other-names`, split into hit
 * and miss; or more tokens than the whole prompt (`beyond`).
 */
export const cacheSubset: Fault = reporting('M8', ({ dialect, form }) => {
  const cached = form === 'beyond' ? prompt + 500 : 1920;
  if (dialect === 'generate-content')
    return {
      promptTokenCount: prompt,
      cachedContentTokenCount: cached,
      candidatesTokenCount: completion,
      totalTokenCount: prompt + completion,
      promptTokensDetails: [{ modality: 'TEXT', tokenCount: prompt }],
      cacheTokensDetails: [{ modality: 'TEXT', tokenCount: cached }],
    };
  const counts = {
    prompt_tokens: prompt,
    completion_tokens: completion,
    total_tokens: prompt + completion,
  };
  if (form === 'other-names')
    return { ...counts, prompt_cache_hit_tokens: cached, prompt_cache_miss_tokens: prompt - cached };
  return {
    ...counts,
    prompt_tokens_details: { cached_tokens: cached, audio_tokens: 0 },
    completion_tokens_details: { reasoning_tokens: 0, audio_tokens: 0 },
  };
});
