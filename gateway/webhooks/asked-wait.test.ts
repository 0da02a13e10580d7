import { expect, it } from 'vitest';
import { askedWaitMs } from './asked-wait.ts';

const now = Date.parse('2027-01-01T00:00:00Z');

it.each([
  ['120', 120_000],
  [' 7 ', 7_000],
  ['0', 0],
  ['Fri, 01 Jan 2027 00:01:00 GMT', 60_000],
  ['Thu, 31 Dec 2026 23:59:00 GMT', null],
  ['1.5', null],
  ['-3', null],
  ['soon', null],
  ['2027', 2_027_000],
  ['2027-01-01T00:01:00Z', null],
  ['9999999999', null],
  ['', null],
])('reads Retry-After %j as %s milliseconds', (text, ms) => {
  expect(askedWaitMs({ 'retry-after': text }, now)).toBe(ms);
});

it('measures a date on the clock of its server, and returns null without a header', () => {
  const headers = { 'retry-after': 'Fri, 01 Jan 2027 00:01:00 GMT', date: 'Fri, 01 Jan 2027 00:00:50 GMT' };
  expect(askedWaitMs(headers, now)).toBe(10_000);
  expect(askedWaitMs({}, now)).toBeNull();
});
