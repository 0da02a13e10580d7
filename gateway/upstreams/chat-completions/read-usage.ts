import { isObject } from '../../http/parse-json.ts';
import type { Usage } from '../outcome.ts';
import { isCount } from '../read-count.ts';

/** Counts of a native `usage` object; null when there is none, undefined when it holds nonsense. */
export function readUsage(native: unknown): Usage | null | undefined {
  if (native === undefined || native === null) return null;
  if (!isObject(native)) return undefined;
  const details = isObject(native.prompt_tokens_details) ? native.prompt_tokens_details : {};
  const promptTokens = native.prompt_tokens;
  const completionTokens = native.completion_tokens;
  const cachedTokens = details.cached_tokens ?? 0;
  if (!isCount(promptTokens) || !isCount(completionTokens) || !isCount(cachedTokens)) return undefined;
  if (cachedTokens > promptTokens) return undefined;
  // What was written to a cache these upstreams do not tell; it costs nothing extra.
  return { promptTokens, completionTokens, cachedTokens, cacheWrite5mTokens: 0, cacheWrite1hTokens: 0 };
}
