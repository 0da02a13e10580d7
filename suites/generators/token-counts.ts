import fc from 'fast-check';
import type { Dialect } from '../profile/dialects.ts';
import type { NativeCounts } from './native/answer.ts';

/**
 * Possible counts of an upstream of the dialect. Any share of the prompt is read from a cache, or written where
 * the dialect counts writes.
 */
export function tokenCounts(dialect: Dialect): fc.Arbitrary<NativeCounts> {
  const permille = fc.integer({ min: 0, max: 1000 });
  return fc
    .record({
      prompt: fc.integer({ min: 1, max: 300_000 }),
      completion: fc.integer({ min: 1, max: 90_000 }),
      read: permille,
      written: permille,
      longer: permille,
      thought: permille,
    })
    .map(({ prompt, completion, read, written, longer, thought }) => {
      const cached_tokens = share(prompt, read);
      const whole = { prompt_tokens: prompt, completion_tokens: completion, cached_tokens };
      if (dialect !== 'messages') return { ...whole, reasoning_tokens: share(completion, thought) };
      const cache_write_tokens = share(prompt - cached_tokens, written);
      return {
        ...whole,
        cache_write_tokens,
        cache_write_1h_tokens: share(cache_write_tokens, longer),
      };
    });
}

function share(count: number, permille: number): number {
  return Math.floor((count * permille) / 1000);
}
