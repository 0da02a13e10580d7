import { describe, expect, it } from 'vitest';
import { duration, instant } from './durations.ts';

describe('duration', () => {
  it.each([
    [0, '0 ms'],
    [1.44, '1.4 ms'],
    [999, '999 ms'],
    [1000, '1.0 s'],
    [59_949, '59.9 s'],
    [59_999, '1 min'],
    [125_400, '2 min 5 s'],
  ])('writes %d ms as %s', (ms, text) => {
    expect(duration(ms)).toBe(text);
  });
});

describe('instant', () => {
  it('drops the fraction, names the time zone, and leaves unknown text unchanged', () => {
    expect(instant('2026-11-21T14:53:04.118Z')).toBe('2026-11-21 14:53:04 UTC');
    expect(instant('yesterday')).toBe('yesterday');
  });
});
