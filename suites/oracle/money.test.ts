import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { dollarsIn, dollarText, fraction, isSame, picoIn, plus, rounded, times, whole } from './money.ts';

describe('rounding', () => {
  it.for([
    [5, 2, 2n],
    [7, 2, 4n],
    [-5, 2, -2n],
    [-7, 2, -4n],
    [1, 2, 0n],
    [-1, 2, 0n],
    [3, 2, 2n],
    [-3, 2, -2n],
    [1, 3, 0n],
    [2, 3, 1n],
    [-2, 3, -1n],
    [-1, 3, 0n],
    [6, 3, 2n],
    [-6, 3, -2n],
    [0, 7, 0n],
  ] as const)('rounds %i/%i to the nearest, half to even', ([top, bottom, nearest]) => {
    expect(rounded(fraction(top, bottom))).toBe(nearest);
  });

  it('is at most half a unit off, and even at exactly half', () => {
    fc.assert(
      fc.property(
        fc.bigInt({ min: -(10n ** 24n), max: 10n ** 24n }),
        fc.bigInt({ min: 1n, max: 10n ** 9n }),
        (top, bottom) => {
          const whole = rounded({ top, bottom });
          const off = 2n * (top - whole * bottom);
          const size = off < 0n ? -off : off;
          expect(size < bottom || (size === bottom && whole % 2n === 0n)).toBe(true);
        },
      ),
    );
  });
});

describe('an amount', () => {
  it.for([
    ['0', 0n],
    ['12.5', 12_500_000_000_000n],
    ['-0.00125', -1_250_000_000n],
    ['0.000000000001', 1n],
    ['1e-12', 1n],
    ['25e2', 2_500_000_000_000_000n],
    ['+3', 3_000_000_000_000n],
  ] as const)('%s is read exactly', ([text, pico]) => {
    expect(picoIn(text)).toBe(pico);
  });

  it.for(['', '.5', '1.', '1,5', '0x1', ' 1', '1 USD', '--1', '1e9999'])('%j is not an amount', (text) => {
    expect(dollarsIn(text)).toBeNull();
  });

  it('an amount finer than a pico-dollar is rejected', () => {
    expect(picoIn('0.0000000000005')).toBeNull();
  });

  it('is written as it is read', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -(10n ** 20n), max: 10n ** 20n }), (pico) => {
        expect(picoIn(dollarText(pico))).toBe(pico);
      }),
    );
    expect(dollarText(-1_250_000_000n)).toBe('-0.00125');
  });
});

it('adds and multiplies fractions exactly', () => {
  expect(isSame(plus(fraction(1, 3), fraction(1, 6)), fraction(1, 2))).toBe(true);
  expect(isSame(times(fraction(2, 3), fraction(3, 4), whole(2)), whole(1))).toBe(true);
  expect(isSame(whole(1), whole(2))).toBe(false);
});
