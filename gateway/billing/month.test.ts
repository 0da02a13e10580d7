import { expect, it } from 'vitest';
import { monthOf } from './month.ts';

it.for([
  [Date.UTC(2026, 9, 31, 23, 59, 59, 999), '2026-10'],
  [Date.UTC(2026, 10, 1), '2026-11'],
  [Date.UTC(2027, 0, 1), '2027-01'],
] as const)('puts %i into the month %s, wherever the gateway stands', ([atMs, month]) => {
  expect(monthOf(atMs)).toBe(month);
});
