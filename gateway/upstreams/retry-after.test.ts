import { expect, it } from 'vitest';
import { retryAfterMs } from './retry-after.ts';

it.for([
  [{ 'retry-after': '17' }, 17_000],
  [{ 'retry-after': '0.5' }, 500],
  [{ 'retry-after-ms': '900', 'retry-after': '5' }, 900],
  [{ 'retry-after': '60,120' }, 60_000],
  [{ 'retry-after': '0' }, null],
  [{ 'retry-after': '-5' }, null],
  [{ 'retry-after': '1000000000' }, 300_000],
  [{ 'retry-after': 'soon' }, null],
  [{ 'retry-after': 'Sat, 21 Nov 2026 10:00:30 GMT', date: 'Sat, 21 Nov 2026 10:00:00 GMT' }, 30_000],
  [{ 'retry-after': 'Sat, 21 Nov 2026 10:00:30 GMT' }, null],
  [{}, null],
] as const)('reads %j as %s', ([headers, ms]) => {
  expect(retryAfterMs(headers)).toBe(ms);
});
