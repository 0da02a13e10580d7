import { expect, it } from 'vitest';
import { isoDate } from './option-values.ts';

it.each(['2027-02-30', '2027-13-01', '2027-3-1', 'tomorrow'])('%s is no date', (text) => {
  expect(() => isoDate(text)).toThrow('Give a date as 2027-03-31');
});

it('a day that there is is taken as it is', () => {
  expect(isoDate('2028-02-29')).toBe('2028-02-29');
});
