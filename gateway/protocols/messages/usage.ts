import { isObject, type JsonObject } from '../../http/parse-json.ts';
import type { Usage } from '../../upstreams/outcome.ts';

/**
 * `usage` in the messages protocol, whose counts are additive: input excludes tokens read from or written to a
 * cache. Zeros when the upstream reported none; `native` holds its other counts.
 */
export function messageUsage(usage: Usage | null, native: unknown = null): JsonObject {
  const known = usage ?? {
    promptTokens: 0,
    completionTokens: 0,
    cachedTokens: 0,
    cacheWrite5mTokens: 0,
    cacheWrite1hTokens: 0,
  };
  const written = known.cacheWrite5mTokens + known.cacheWrite1hTokens;
  return {
    ...(isObject(native) && native),
    // Some upstreams report fewer prompt tokens than they read from a cache.
    input_tokens: Math.max(0, known.promptTokens - known.cachedTokens - written),
    cache_creation_input_tokens: written,
    cache_read_input_tokens: known.cachedTokens,
    cache_creation: {
      ephemeral_5m_input_tokens: known.cacheWrite5mTokens,
      ephemeral_1h_input_tokens: known.cacheWrite1hTokens,
    },
    output_tokens: known.completionTokens,
  };
}
