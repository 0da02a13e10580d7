import type { Fault } from '../../fault-contract/fault.ts';
import { reporting } from './counted-usage.ts';

/** Cached tokens are included in the prompt count. */
export const cacheSubset: Fault = reporting('M8', ({ dialect }) =>
  dialect === 'generate-content'
    ? {
        promptTokenCount: 2006,
        cachedContentTokenCount: 1920,
        candidatesTokenCount: 300,
        totalTokenCount: 2306,
        promptTokensDetails: [{ modality: 'TEXT', tokenCount: 2006 }],
        cacheTokensDetails: [{ modality: 'TEXT', tokenCount: 1920 }],
      }
    : {
        prompt_tokens: 2006,
        completion_tokens: 300,
        total_tokens: 2306,
        prompt_tokens_details: { cached_tokens: 1920, audio_tokens: 0 },
        completion_tokens_details: { reasoning_tokens: 0, audio_tokens: 0 },
      },
);
