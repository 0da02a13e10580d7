import { isObject } from '../../http/parse-json.ts';
import type { Usage } from '../outcome.ts';
import { isOtherTotal, optionalCountIn } from '../read-count.ts';

/**
 * Counts of a `usageMetadata` object; null when it tells none, undefined when it holds nonsense. Zeros are left out
 * on this wire. Cached tokens stand inside the prompt, thoughts outside the candidates (faults M8, M9).
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
    ...(isOtherTotal(native.totalTokenCount, prompt + completion) && { doubt: 'total' }),
  };
}

/** Null when one of them is no count. */
function sumOf(...counts: unknown[]): number | null {
  const known = counts.map(optionalCountIn);
  return known.every((count) => count !== null) ? known.reduce((sum, count) => sum + count, 0) : null;
}
