import { describe, expect, test } from 'vitest';
import type { Exchange } from '../wire/exchange.ts';
import { clockSkewIn, skewInWords } from './clock-skew.ts';

const now = Date.parse('2026-03-01T12:00:00.400Z');

function answered(date: string | null, tookMs = 200): Exchange {
  const headers: [string, string][] = date === null ? [] : [['Date', date]];
  return { sentAt: now, endedAt: now + tookMs, response: { headers } } as unknown as Exchange;
}

describe('the skew of a clock', () => {
  test.each([
    ['the same second', 0],
    ['four seconds ahead', 4_000],
    ['four seconds behind', -4_000],
  ])('is 0 for %s', (_name, ms) => {
    expect(clockSkewIn(answered(new Date(now + ms).toUTCString()))).toBe(0);
  });

  test('is 0 when an answer has no date, or an unreadable one', () => {
    expect(clockSkewIn(answered(null))).toBe(0);
    expect(clockSkewIn(answered('yesterday'))).toBe(0);
  });

  test.each([-7_200_000, -30_000, 30_000, 259_200_000])('of %i ms is measured to within a second', (ms) => {
    const skew = clockSkewIn(answered(new Date(now + 100 + ms).toUTCString()));
    expect(Math.abs(skew - ms)).toBeLessThanOrEqual(1_000);
  });
});

test.each([
  [3 * 86_400_000, 'its clock is 3 days ahead of ours'],
  [-5_400_000, 'its clock is 2 hours behind ours'],
  [90_000, 'its clock is 2 minutes ahead of ours'],
  [30_000, 'its clock is 30 seconds ahead of ours'],
])('describes %i ms in words', (ms, words) => {
  expect(skewInWords(ms)).toContain(words);
});
