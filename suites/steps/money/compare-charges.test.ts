import { describe, expect, it } from 'vitest';
import { fraction } from '../../oracle/money.ts';
import type { Exchange } from '../../wire/exchange.ts';
import { fromNothing, mustBeTimes, mustCostTheSame, visibleUnit } from './compare-charges.ts';
import type { Priced } from './priced-call.ts';

const rule = { requirement: 'BILL-002', aspect: 'tried' };

function priced(charge: bigint): Priced {
  const call = { model: 'm', counts: { prompt_tokens: 1, completion_tokens: 1 }, label: 'a call' };
  return { charge, exchange: {} as Exchange, call };
}

function isTimes(
  step: readonly [bigint, bigint],
  factor: readonly [number, number],
  of: readonly [bigint, bigint],
) {
  const [from, to, base, more] = [...step, ...of].map(priced) as [Priced, Priced, Priced, Priced];
  try {
    mustBeTimes({ from, to }, fraction(...factor), { from: base, to: more }, rule);
    return true;
  } catch {
    return false;
  }
}

describe('the visible unit of charges', () => {
  it.each([
    [[12_345n], 1n],
    [[12_000_000n, 7_000_000n], 1_000_000n],
    [[12_000_000n, 7_100_000n], 100_000n],
    [[0n], 10_000_000_000n],
  ])('is the largest power of ten that divides all of them, at most a cent: %s', (charges, unit) => {
    expect(visibleUnit(charges.map(priced))).toBe(unit);
  });
});

describe('a price step that must be a multiple of another', () => {
  it('may differ by what rounding hides, and by no more', () => {
    expect(isTimes([1_001n, 126_001n], [5, 4], [1_001n, 101_001n])).toBe(true);
    expect(isTimes([1_001n, 126_003n], [5, 4], [1_001n, 101_001n])).toBe(true);
    expect(isTimes([1_001n, 126_021n], [5, 4], [1_001n, 101_001n])).toBe(false);
  });

  it('may differ by more when charges are shown more coarsely', () => {
    expect(isTimes([1_000_000n, 126_010_000n], [5, 4], [1_000_000n, 101_000_000n])).toBe(true);
  });

  it('is distinguished for each cache factor, even in cents', () => {
    const cent = 10_000_000_000n;
    expect(isTimes([0n, 125n * cent], [5, 4], [0n, 100n * cent])).toBe(true);
    expect(isTimes([0n, 100n * cent], [5, 4], [0n, 100n * cent])).toBe(false);
    expect(isTimes([0n, 25n * cent], [1, 10], [0n, 100n * cent])).toBe(false);
  });

  it('may be a whole charge', () => {
    const [once, twice] = [priced(21n), priced(42n)];
    expect(() => mustBeTimes(fromNothing(twice), fraction(2, 1), fromNothing(once), rule)).not.toThrow();
  });
});

it('treats charges as the same only when no digit differs', () => {
  expect(() => mustCostTheSame(priced(5n), priced(5n), rule)).not.toThrow();
  expect(() => mustCostTheSame(priced(5n), priced(6n), rule)).toThrow('BILL-002 (tried)');
});
