import { isObject, type JsonObject } from '../../http/parse-json.ts';
import type { Usage } from '../outcome.ts';
import { countIn, optionalCountIn, reasoningIn } from '../read-count.ts';

/**
 * Reads the counts of a native `usage`: null when missing or incomplete, undefined when invalid. The native counts
 * are additive: `input_tokens` excludes tokens read from or written to the cache (fault M5).
 */
export function readUsage(native: unknown): Usage | null | undefined {
  if (native === undefined || native === null) return null;
  if (!isObject(native)) return undefined;
  const { input_tokens: input = null, output_tokens: output = null } = native;
  if (input === null || output === null) return null;
  const fresh = countIn(input);
  const produced = countIn(output);
  const read = optionalCountIn(native.cache_read_input_tokens);
  const written = writtenTokens(native);
  if (fresh === null || produced === null || read === null || written === undefined) return undefined;
  const { shortLived, longLived, isDoubtful } = written;
  const { output_tokens_details: details } = native;
  return {
    promptTokens: fresh + read + shortLived + longLived,
    completionTokens: produced,
    cachedTokens: read,
    cacheWrite5mTokens: shortLived,
    cacheWrite1hTokens: longLived,
    ...reasoningIn(isObject(details) ? details.thinking_tokens : undefined, produced),
    ...(isDoubtful && { doubt: 'cache_writes' }),
  };
}

interface Written {
  readonly shortLived: number;
  readonly longLived: number;
  /** The parts do not add up to the total (fault M6). */
  readonly isDoubtful: boolean;
}

/**
 * Cache writes by lifetime. The total is the one that the upstream states; without details all of it is
 * short-lived.
 */
function writtenTokens(native: JsonObject): Written | undefined {
  const detail = isObject(native.cache_creation) ? native.cache_creation : null;
  const short = optionalCountIn(detail?.ephemeral_5m_input_tokens);
  const long = optionalCountIn(detail?.ephemeral_1h_input_tokens);
  if (short === null || long === null) return undefined;
  const total = countIn(native.cache_creation_input_tokens ?? short + long);
  if (total === null) return undefined;
  const longLived = Math.min(long, total);
  return { shortLived: total - longLived, longLived, isDoubtful: detail !== null && short + long !== total };
}
