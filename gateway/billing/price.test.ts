import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatUsd } from '../money/pico.ts';
import type { Usage } from '../upstreams/outcome.ts';
import { readPrice, writePrice } from './applied-price.ts';
import { chargeFor, free, type Price } from './price.ts';
import { createPriceList } from './price-list.ts';
import { chargeForUnits } from './unit-price.ts';

/** $3 and $15 for a million tokens, with the rates of a beta model. */
const beta: Price = {
  input: 3_000_000n,
  output: 15_000_000n,
  cachedPercent: 10n,
  write5mPercent: 125n,
  write1hPercent: 200n,
};

function usage(counts: Partial<Usage>): Usage {
  return {
    promptTokens: 0,
    completionTokens: 0,
    cachedTokens: 0,
    cacheWrite5mTokens: 0,
    cacheWrite1hTokens: 0,
    ...counts,
  };
}

describe('the charge', () => {
  it('gives no credit for more cached tokens than there are', () => {
    expect(chargeFor(usage({ promptTokens: 10, cachedTokens: 1_000 }), beta, 0)).toBe(3n * 10n ** 8n);
  });

  it('is exact where a float is not', () => {
    const counts = usage({ promptTokens: 2 ** 53 - 1, completionTokens: 2 ** 53 - 1 });
    expect(chargeFor(counts, { ...beta, input: 1n, output: 10n ** 12n }, 1)).toBe(
      ((2n ** 53n - 1n) * (1n + 10n ** 12n) * 10_001n) / 10_000n,
    );
  });

  const percent = fc.bigInt({ min: 0n, max: 1000n });
  const unitPrice = fc.oneof(fc.bigInt({ min: 0n, max: 9n }), fc.bigInt({ min: 0n, max: 10n ** 12n }));
  const price = fc.record({
    input: unitPrice,
    output: unitPrice,
    cachedPercent: percent,
    write5mPercent: percent,
    write1hPercent: percent,
  });
  const markup = fc.oneof(
    fc.constantFrom(-10_000, 0, 500, 10_000),
    fc.integer({ min: -10_000, max: 1_000_000 }),
  );
  const kinds = ['plain', 'cached', 'write5m', 'write1h', 'completion'] as const;
  const tokens = fc.array(fc.constantFrom(...kinds), { maxLength: 40 });

  it('equals the sum over its tokens, rounded half to even to whole pico-USD', () => {
    fc.assert(
      fc.property(tokens, price, markup, (each, list, markupBp) => {
        const count = (kind: (typeof kinds)[number]): number => each.filter((one) => one === kind).length;
        const charge = chargeFor(
          usage({
            promptTokens: each.length - count('completion'),
            completionTokens: count('completion'),
            cachedTokens: count('cached'),
            cacheWrite5mTokens: count('write5m'),
            cacheWrite1hTokens: count('write1h'),
          }),
          list,
          markupBp,
        );
        const rates = {
          plain: 100n * list.input,
          cached: list.cachedPercent * list.input,
          write5m: list.write5mPercent * list.input,
          write1h: list.write1hPercent * list.input,
          completion: 100n * list.output,
        };
        let millionths = 0n;
        for (const kind of each) millionths += rates[kind] * BigInt(10_000 + markupBp);
        const off = charge * 1_000_000n - millionths;
        expect(off <= 500_000n && off >= -500_000n).toBe(true);
        if (off === 500_000n || off === -500_000n) expect(charge % 2n).toBe(0n);
      }),
      { seed: 31, numRuns: 1_000 },
    );
  });

  it('is stored with its price, which reads back unchanged', () => {
    fc.assert(
      fc.property(price, markup, (list, markupBp) => {
        const applied = { ...list, markupBp };
        expect(readPrice(JSON.parse(JSON.stringify(writePrice(applied))))).toEqual(applied);
      }),
      { seed: 32 },
    );
    expect(readPrice(null)).toEqual({ ...free, markupBp: 0 });
  });
});

describe('the charge for units', () => {
  it.each([
    [3, 40_000_000_000n, 0, '0.12'],
    [1, 170_000_000_000n, 250, '0.17425'],
    [4, 70_000_000_000n, -10_000, '0'],
    [0, 70_000_000_000n, 500, '0'],
    [8, 0n, 500, '0'],
  ])('is %d times the list price with its markup', (units, pico, markupBp, dollars) => {
    expect(formatUsd(chargeForUnits(units, pico, markupBp))).toBe(dollars);
  });

  it('is rounded once, half to even', () => {
    expect([1, 2, 3, 5].map((units) => chargeForUnits(units, 1n, 5_000))).toEqual([2n, 3n, 4n, 8n]);
    expect([1, 2, 3, 4].map((units) => chargeForUnits(units, 1n, -7_500))).toEqual([0n, 0n, 1n, 1n]);
  });

  it('is stored with its unit price, which reads back unchanged', () => {
    const applied = { unit: 'second', unitPico: 10n ** 18n, markupBp: -25 } as const;
    expect(readPrice(JSON.parse(JSON.stringify(writePrice(applied))))).toEqual(applied);
  });
});

describe('the price list', () => {
  const row = {
    model_id: 'beta-1',
    input_pico: 3_000_000n,
    output_pico: 15_000_000n,
    cached_percent: 10,
    write_5m_percent: 125,
    write_1h_percent: 200,
  };

  it('uses the latest prices; models without a price are free', () => {
    const list = createPriceList([row]);
    expect([list.of('beta-1'), list.of('other')]).toEqual([beta, free]);
    expect(list.unitOf('beta-1')).toBeNull();
    list.replace([{ ...row, model_id: 'other' }]);
    expect([list.of('beta-1'), list.of('other')]).toEqual([free, beta]);
  });

  it('keeps prices per token and prices per unit apart', () => {
    const list = createPriceList([
      row,
      { model_id: 'vidB2', unit: 'second', unit_pico: 5n, quality_pico: null },
    ]);
    expect([list.of('vidB2'), list.unitOf('vidB2')]).toEqual([
      free,
      { unit: 'second', pico: 5n, qualities: null },
    ]);
  });
});
