import { expect, it } from 'vitest';
import { dollarText } from '../money.ts';
import { type DeclaredUnitPrice, type Made, unitCharge } from './price.ts';

const byQuality = { per_image: { low: '0.04', medium: '0.07', high: '0.17', auto: '0.1' } };

it.each<[Partial<Made>, DeclaredUnitPrice, number, string]>([
  [{ images: 3 }, { per_image: '0.04' }, 0, '0.12'],
  [{ images: 2, quality: 'high' }, byQuality, 250, '0.3485'],
  [{ images: 1 }, byQuality, -10_000, '0'],
  [{ images: 4 }, byQuality, 0, '0.4'],
  [{ seconds: 5, images: 9 }, { per_second: '0.050001' }, 333, '0.2583301665'],
  [{ seconds: 240, images: 4 }, { per_task: '0.3' }, 1, '0.30003'],
])('computes the charge of %j at %j with %d basis points', (made, price, markupBp, dollars) => {
  expect(dollarText(unitCharge({ images: 0, seconds: 0, ...made }, price, markupBp))).toBe(dollars);
});

it('rounds the whole charge once, half to even, in the unit of charges', () => {
  const cents = 10n ** 10n;
  const made = (seconds: number): Made => ({ images: 0, seconds });
  const price = { per_second: '0.005' };
  expect([1, 2, 3, 5].map((seconds) => unitCharge(made(seconds), price, 0, cents) / cents)).toEqual([
    0n,
    1n,
    2n,
    2n,
  ]);
});
