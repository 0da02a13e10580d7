import fc from 'fast-check';
import type { UsageCounts } from '../oracle/price.ts';
import type { Dialect } from '../profile/dialects.ts';
import type { NativeCounts } from './native/answer.ts';

/** More tokens than any context window. */
const maxPromptTokens = 3_000_000;

/** Counts that are difficult for rounding and for tiered rates. */
const edges = [
  0,
  1,
  2,
  3,
  7,
  99,
  100,
  101,
  1_023,
  1_024,
  12_304,
  65_536,
  200_000,
  999_999,
  1_000_000,
  maxPromptTokens,
];

/**
 * Consistent counts of an upstream of the dialect. Reads and writes are parts of the prompt, and only one dialect
 * reports writes. Prompts are small or huge, with round counts and others.
 */
export function usageCounts(dialect: Dialect): fc.Arbitrary<UsageCounts> {
  const tokens = fc.oneof(
    fc.constantFrom(...edges),
    fc.integer({ min: 0, max: 2_000 }),
    fc.integer({ min: 0, max: maxPromptTokens }),
  );
  return fc
    .record({ tokens, completion: tokens, cached: part, written: part, longer: part })
    .map(({ tokens: prompt, completion, cached, written, longer }) => {
      const cached_tokens = cached(prompt);
      const writes = dialect === 'messages' ? written(prompt - cached_tokens) : 0;
      const cache_write_1h_tokens = longer(writes);
      return {
        prompt_tokens: prompt,
        completion_tokens: completion,
        cached_tokens,
        cache_write_5m_tokens: writes - cache_write_1h_tokens,
        cache_write_1h_tokens,
      };
    });
}

/** None, all, all but one, one, or some part of a count. */
const part: fc.Arbitrary<(count: number) => number> = fc
  .oneof(
    { weight: 3, arbitrary: fc.constant(0) },
    { weight: 2, arbitrary: fc.constant(1_000_000) },
    { weight: 5, arbitrary: fc.integer({ min: 0, max: 1_000_000 }) },
    { weight: 1, arbitrary: fc.constantFrom(-1, -2) },
  )
  .map((share) => (count) => {
    if (share === -1) return Math.min(1, count);
    if (share === -2) return Math.max(0, count - 1);
    return Number((BigInt(count) * BigInt(share)) / 1_000_000n);
  });

/** The same counts in the form of an upstream's usage. */
export function asNative(counts: UsageCounts): NativeCounts {
  const { prompt_tokens, completion_tokens, cached_tokens } = counts;
  return {
    prompt_tokens,
    completion_tokens,
    cached_tokens,
    cache_write_tokens: counts.cache_write_5m_tokens + counts.cache_write_1h_tokens,
    cache_write_1h_tokens: counts.cache_write_1h_tokens,
  };
}
