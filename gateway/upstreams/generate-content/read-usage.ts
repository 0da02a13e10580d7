import { isObject } from '../../http/parse-json.ts';
import type { Usage } from '../outcome.ts';
import { isOtherTotal, optionalCountIn, reasoningIn } from '../read-count.ts';

/**
 * Reads the counts of a `usageMetadata` object: null when it has none, undefined when it is invalid. This dialect
 * omits zeros. Cached tokens are included in the prompt, thoughts are not in the candidates (faults M8, M9).
 */
export function readUsage(native: unknown): Usage | null | undefined {
  if (native === undefined || native === null) return null;
  if (!isObject(native)) return undefined;
  if (native.promptTokenCount === undefined) return null;
  const prompt = sumOf(native.promptTokenCount, native.toolUsePromptTokenCount);
  const completion = sumOf(native.candidatesTokenCount, native.thoughtsTokenCount);
  const cached = sumOf(native.cachedContentTokenCount);
  if (prompt === null || completion === null || cached === null || cached > prompt) return undefined;
  return {
    promptTokens: prompt,
    completionTokens: completion,
    cachedTokens: cached,
    cacheWrite5mTokens: 0,
    cacheWrite1hTokens: 0,
    ...reasoningIn(native.thoughtsTokenCount, completion),
    ...(isOtherTotal(native.totalTokenCount, prompt + completion) && { doubt: 'total' }),
  };
}

/** Null when one of them is not a count. */
function sumOf(...counts: unknown[]): number | null {
  const known = counts.map(optionalCountIn);
  return known.every((count) => count !== null) ? known.reduce((sum, count) => sum + count, 0) : null;
}
