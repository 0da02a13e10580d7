import fc from 'fast-check';

/** Token counts as an upstream may report them. */
export interface TokenCounts {
  readonly prompt_tokens: number;
  readonly completion_tokens: number;
  readonly cached_tokens: number;
}

/** Counts with any share of the prompt cached. */
export const tokenCounts: fc.Arbitrary<TokenCounts> = fc
  .record({
    prompt: fc.integer({ min: 1, max: 300_000 }),
    completion: fc.integer({ min: 1, max: 90_000 }),
    cachedPermille: fc.integer({ min: 0, max: 1000 }),
  })
  .map(({ prompt, completion, cachedPermille }) => ({
    prompt_tokens: prompt,
    completion_tokens: completion,
    cached_tokens: Math.floor((prompt * cachedPermille) / 1000),
  }));
