import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { divideHalfEven, formatUsd, parseUsd } from './pico.ts';

describe('an amount of dollars', () => {
  it.each([
    ['0', 0n],
    ['12', 12_000_000_000_000n],
    ['0.5', 500_000_000_000n],
    ['-3.25', -3_250_000_000_000n],
    ['62.5003125', 62_500_312_500_000n],
    ['0.000000000001', 1n],
    ['007.10', 7_100_000_000_000n],
    ['-0', 0n],
    ['999999999999999.999999999999', 999_999_999_999_999_999_999_999_999n],
  ])('reads %s to the last decimal', (text, pico) => {
    expect(parseUsd(text)).toBe(pico);
  });

  it.each([
    '',
    ' ',
    '.5',
    '5.',
    '1,5',
    '1e3',
    '+1',
    '--1',
    '0x10',
    'NaN',
    'Infinity',
    ' 1',
    '1 ',
    '1\n',
    '١',
    '1.2.3',
    '0.0000000000001',
    '1000000000000000',
  ])('rejects %j', (text) => {
    expect(parseUsd(text)).toBeNull();
  });

  it('accepts at most the given number of decimals, trailing zeros included', () => {
    expect([parseUsd('1.234567', 6), parseUsd('1.2345670', 6), parseUsd('1', 0), parseUsd('1.0', 0)]).toEqual(
      [1_234_567_000_000n, null, 1_000_000_000_000n, null],
    );
  });

  it.each([
    [0n, '0'],
    [1n, '0.000000000001'],
    [-1n, '-0.000000000001'],
    [1_250_000_000n, '0.00125'],
    [-3_250_000_000_000n, '-3.25'],
    [10n ** 30n, '1000000000000000000'],
  ])('writes %d pico as %s', (pico, text) => {
    expect(formatUsd(pico)).toBe(text);
  });

  it('reads what it writes, without superfluous zeros', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -(10n ** 27n) + 1n, max: 10n ** 27n - 1n }), (pico) => {
        const text = formatUsd(pico);
        expect(parseUsd(text)).toBe(pico);
        expect(text).toMatch(/^(?!-0$)-?(?:0|[1-9]\d*)(?:\.\d*[1-9])?$/);
      }),
      { seed: 21 },
    );
  });
});

describe('a quotient of money', () => {
  it.each([
    [5n, 10n, 0n],
    [15n, 10n, 2n],
    [25n, 10n, 2n],
    [26n, 10n, 3n],
    [-5n, 10n, 0n],
    [-15n, 10n, -2n],
    [-25n, 10n, -2n],
    [-26n, 10n, -3n],
    [7n, 1n, 7n],
    [3n, 2n, 2n],
    [1n, 3n, 0n],
    [2n, 3n, 1n],
  ])('rounds %d / %d to %d', (amount, by, rounded) => {
    expect(divideHalfEven(amount, by)).toBe(rounded);
  });

  it('is rounded to the nearest whole number, half to even', () => {
    const amounts = fc.oneof(
      fc.bigInt({ min: -1000n, max: 1000n }),
      fc.bigInt({ min: -(10n ** 30n), max: 10n ** 30n }),
    );
    const divisors = fc.oneof(fc.bigInt({ min: 1n, max: 20n }), fc.bigInt({ min: 1n, max: 10n ** 12n }));
    fc.assert(
      fc.property(amounts, divisors, (amount, by) => {
        const quotient = divideHalfEven(amount, by);
        const twiceOff = 2n * (amount - quotient * by);
        expect(twiceOff <= by && twiceOff >= -by).toBe(true);
        if (twiceOff === by || twiceOff === -by) expect(quotient % 2n).toBe(0n);
      }),
      { seed: 22, numRuns: 1_000 },
    );
  });
});
