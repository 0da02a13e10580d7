import { expect, it } from 'vitest';
import { isoDate } from './option-values.ts';

it.each(['2027-02-30', '2027-13-01', '2027-3-1', 'tomorrow'])('rejects the date %s', (text) => {
  expect(() => isoDate(text)).toThrow('Give a date as 2027-03-31');
});

it('accepts an existing day', () => {
  expect(isoDate('2028-02-29')).toBe('2028-02-29');
});
