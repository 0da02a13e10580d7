import { describe, expect, it } from 'vitest';
import { known, unknown } from './measure.ts';
import { judgeThreshold, readThreshold } from './thresholds.ts';

const holds = (text: string, value: number): boolean | null =>
  judgeThreshold(readThreshold(text), known(value), 0).holds;

describe('a threshold', () => {
  it('is a bound in the unit of its measure', () => {
    expect(holds('availability >= 99.5 %', 99.5)).toBe(true);
    expect(holds('availability >= 99.5 %', 99.4)).toBe(false);
    expect(holds('p99 < 2 s', 1.999)).toBe(true);
    expect(holds('p99 < 2000 ms', 2)).toBe(false);
    expect(holds('recovery < 1.5 min', 89)).toBe(true);
    expect(holds('wrong = 0', 1)).toBe(false);
    expect(holds('cost of failures <= $0.01', 0.01)).toBe(true);
  });

  it('fails for an infinite time, and stays open without a value', () => {
    expect(judgeThreshold(readThreshold('open < 20 s'), known(Number.POSITIVE_INFINITY), 900)).toMatchObject({
      holds: false,
      seen: 'never',
    });
    expect(judgeThreshold(readThreshold('open < 20 s'), unknown('no channel failed'), 0)).toMatchObject({
      holds: null,
      seen: 'no channel failed',
    });
  });

  it('on times stays open instead of failing when the machine sends its calls late', () => {
    const judged = (text: string, value: number): boolean | null =>
      judgeThreshold(readThreshold(text), known(value), 900).holds;
    expect([judged('p99 < 5 s', 6), judged('availability >= 50 %', 40)]).toEqual([null, null]);
    expect([judged('p99 < 5 s', 4), judged('wrong = 0', 1), judged('most attempts <= 2', 3)]).toEqual([
      true,
      false,
      false,
    ]);
    expect(judgeThreshold(readThreshold('p99 < 5 s'), known(6), 900).seen).toContain('900 ms late');
  });

  it.each([
    ['availability', 'write it as'],
    ['speed < 3', 'speed is not measured'],
    ['availability >= 99.5', 'give %'],
    ['wrong = 0 s', 'a number without a unit'],
    ['p99 < 2 %', 'a time'],
    ['cost of failures < 1', 'an amount'],
  ])('that is invalid is rejected: %s', (text, words) => {
    expect(() => readThreshold(text)).toThrow(words);
  });
});
