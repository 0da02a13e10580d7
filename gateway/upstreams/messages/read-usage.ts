import { isObject, type JsonObject } from '../../http/parse-json.ts';
import type { Usage } from '../outcome.ts';
import { isCount } from '../read-count.ts';

/**
 * Counts of a native `usage`; null when there is none or it is not complete yet, undefined when it holds nonsense.
 * The native counts are additive: `input_tokens` are only those that the cache had no part in.
 */
export function readUsage(native: unknown): Usage | null | undefined {
  if (native === undefined || native === null) return null;
  if (!isObject(native)) return undefined;
  const { input_tokens: fresh = null, output_tokens: produced = null } = native;
  if (fresh === null || produced === null) return null;
  const read = native.cache_read_input_tokens ?? 0;
  const written = writtenTokens(native);
  if (!isCount(fresh) || !isCount(produced) || !isCount(read) || written === undefined) return undefined;
  const { shortLived, longLived } = written;
  return {
    promptTokens: fresh + read + shortLived + longLived,
    completionTokens: produced,
    cachedTokens: read,
    cacheWrite5mTokens: shortLived,
    cacheWrite1hTokens: longLived,
  };
}

/** What was written, by the life of the slot. The total is the upstream's word; without detail all of it is short-lived. */
function writtenTokens(native: JsonObject): { shortLived: number; longLived: number } | undefined {
  const detail = isObject(native.cache_creation) ? native.cache_creation : {};
  const short = detail.ephemeral_5m_input_tokens ?? 0;
  const long = detail.ephemeral_1h_input_tokens ?? 0;
  if (!isCount(short) || !isCount(long)) return undefined;
  const total = native.cache_creation_input_tokens ?? short + long;
  if (!isCount(total)) return undefined;
  const longLived = Math.min(long, total);
  return { shortLived: total - longLived, longLived };
}
