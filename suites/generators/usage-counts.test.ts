import fc from 'fast-check';
import { expect, it } from 'vitest';
import { dialects } from '../profile/dialects.ts';
import { usageCounts } from './usage-counts.ts';

it.for([...dialects])('draws consistent counts of %s', (dialect) => {
  fc.assert(
    fc.property(usageCounts(dialect), (counts) => {
      const special = counts.cached_tokens + counts.cache_write_5m_tokens + counts.cache_write_1h_tokens;
      expect(special).toBeLessThanOrEqual(counts.prompt_tokens);
      for (const count of Object.values(counts)) expect(Number.isSafeInteger(count) && count >= 0).toBe(true);
      if (dialect !== 'messages') expect(counts.cache_write_5m_tokens + counts.cache_write_1h_tokens).toBe(0);
    }),
  );
});

it('draws small and huge counts, with and without each kind, and of only one kind', () => {
  const drawn = fc.sample(usageCounts('messages'), { numRuns: 500, seed: 1 });
  const shares = [
    drawn.some((counts) => counts.prompt_tokens === 0),
    drawn.some((counts) => counts.prompt_tokens > 1_000_000),
    drawn.some((counts) => counts.prompt_tokens > 0 && counts.cached_tokens === counts.prompt_tokens),
    drawn.some((counts) => counts.prompt_tokens > 0 && counts.cache_write_1h_tokens === counts.prompt_tokens),
    drawn.some(
      (counts) =>
        counts.cache_write_5m_tokens > 0 && counts.cache_write_1h_tokens > 0 && counts.cached_tokens > 0,
    ),
    drawn.some((counts) => counts.cached_tokens === 1),
  ];
  expect(shares).toEqual(shares.map(() => true));
});
