import { expect, it } from 'vitest';
import { answeredWith } from '../testing/sample-exchange.ts';
import { asksAtMost, retryHintOf } from './retry-hint.ts';

const now = Date.UTC(2026, 6, 1, 12, 0, 0);

it.for([
  ['whole seconds', { 'retry-after': '7' }, 7, true],
  ['none at all', { 'retry-after': '0' }, 0, false],
  ['a date', { 'retry-after': 'Wed, 01 Jul 2026 12:00:07 GMT' }, 7, true],
  ['a date in the past', { 'retry-after': 'Wed, 01 Jul 2026 11:59:00 GMT' }, -60, false],
  [
    'a date beside a clock of its own',
    { 'retry-after': 'Sun, 01 Feb 2026 00:00:09 GMT', date: 'Sun, 01 Feb 2026 00:00:04 GMT' },
    5,
    true,
  ],
  ['a fraction', { 'retry-after': '1.5' }, Number.NaN, false],
  ['a date of another form', { 'retry-after': '2026-07-01T12:00:07Z' }, Number.NaN, false],
] as const)('%s', ([, headers, seconds, isShort]) => {
  const hint = retryHintOf(answeredWith(...Object.entries(headers)), now);
  expect(hint?.seconds).toBe(seconds);
  expect(hint !== null && asksAtMost(hint, 8)).toBe(isShort);
});

it('allows a date to be one second later than whole seconds', () => {
  const of = (text: string) => retryHintOf(answeredWith(['retry-after', text]), now);
  expect([of('7'), of('Wed, 01 Jul 2026 12:00:07 GMT')].map((hint) => hint && asksAtMost(hint, 6))).toEqual([
    false,
    true,
  ]);
  expect(retryHintOf(answeredWith(), now)).toBeNull();
});
