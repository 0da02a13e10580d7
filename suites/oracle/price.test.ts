import { describe, expect, it } from 'vitest';
import { cacheRates, chargeOf, type UsageCounts } from './price.ts';

const counts = (more: Partial<UsageCounts>): UsageCounts => ({
  prompt_tokens: 0,
  completion_tokens: 0,
  cached_tokens: 0,
  cache_write_5m_tokens: 0,
  cache_write_1h_tokens: 0,
  ...more,
});
const price = { input: '3', output: '15.5' };

describe('a charge', () => {
  it('is the token counts times their prices', () => {
    // $3 and $15.50 per million tokens are 3,000,000 and 15,500,000 pico-dollars per token.
    expect(chargeOf('alpha-5-2', counts({ prompt_tokens: 1000, completion_tokens: 100 }), price, 0)).toBe(
      4_550_000_000n,
    );
  });

  it.for([
    ['cached_tokens', 300_000n],
    ['cache_write_5m_tokens', 3_750_000n],
    ['cache_write_1h_tokens', 6_000_000n],
  ] as const)(
    'subtracts %s of a beta model from the prompt and prices them at their own rate',
    ([kind, pico]) => {
      expect(chargeOf('beta-mid-4-5', counts({ prompt_tokens: 1, [kind]: 1 }), price, 0)).toBe(pico);
      expect(chargeOf('beta-mid-4-5', counts({ prompt_tokens: 3, [kind]: 1 }), price, 0)).toBe(
        pico + 6_000_000n,
      );
    },
  );

  it('uses the declared cache rate of other models, and a quarter by default', () => {
    const cached = counts({ prompt_tokens: 4, cached_tokens: 4 });
    expect(chargeOf('delta-3', cached, price, 0)).toBe(3_000_000n);
    expect(chargeOf('delta-3', cached, { ...price, cached_percent: 7 }, 0)).toBe(840_000n);
    expect(cacheRates('delta-3')).toEqual({ cached: 25, write5m: 100, write1h: 100 });
  });

  it('is marked up as a whole and rounded once, half to even', () => {
    const one = counts({ prompt_tokens: 1 });
    const finest = { input: '0.000001', output: '0' };
    // At one pico-dollar a token, one and a half rounds to two, and so does two and a half.
    expect(chargeOf('delta-3', one, finest, 5_000)).toBe(2n);
    expect(chargeOf('delta-3', one, finest, 15_000)).toBe(2n);
    expect(chargeOf('delta-3', one, finest, -5_000)).toBe(0n);
    expect(
      chargeOf(
        'delta-3',
        counts({ prompt_tokens: 2, completion_tokens: 1 }),
        { input: '0.000001', output: '0.000001' },
        5_000,
      ),
    ).toBe(4n);
    expect(chargeOf('delta-3', one, finest, -10_000)).toBe(0n);
  });

  it('is undefined for contradictory counts', () => {
    expect(() => chargeOf('delta-3', counts({ prompt_tokens: 1, cached_tokens: 2 }), price, 0)).toThrow(
      'more tokens',
    );
  });
});
