import { describe, expect, it } from 'vitest';
import { hintedWaitMs, limitResetMs, retryAfterMs } from './retry-after.ts';

const noon = 'Sat, 21 Nov 2026 12:00:00 GMT';

describe('the wait that an answer asks for', () => {
  it.for([
    [{ 'retry-after': '17' }, 17_000],
    [{ 'retry-after': '0.5' }, 500],
    [{ 'retry-after-ms': '900', 'retry-after': '5' }, 900],
    [{ 'retry-after-ms': '0.2' }, 1],
    [{ 'retry-after': '60,120' }, 60_000],
    [{ 'retry-after': '0' }, null],
    [{ 'retry-after': '-5' }, null],
    [{ 'retry-after': '1000000000' }, 300_000],
    [{ 'retry-after': '1e9' }, 300_000],
    [{ 'retry-after': '9'.repeat(400) }, 300_000],
    [{ 'retry-after': 'soon' }, null],
    [{ 'retry-after': 'Sat, 21 Nov 2026 12:00:30 GMT', date: noon }, 30_000],
    [{ 'retry-after': 'Saturday, 21-Nov-26 12:00:30 GMT', date: noon }, 30_000],
    [{ 'retry-after': '2026-11-21T12:00:30Z', date: noon }, 30_000],
    [{ 'retry-after': 'Sat, 21 Nov 2026 11:00:00 GMT', date: noon }, null],
    [{ 'retry-after': 'Sat, 21 Nov 2099 12:00:00 GMT', date: noon }, 300_000],
    [{ 'retry-after': 'Sat, 21 Nov 2026 12:00:30 GMT' }, null],
    [{}, null],
  ] as const)('is read off %j as %s', ([headers, ms]) => {
    expect(retryAfterMs(headers)).toBe(ms);
  });
});

describe('the time until a limit is lifted', () => {
  const state = (left: string, reset: string, limit = 'tokens') => ({
    [`x-ratelimit-remaining-${limit}`]: left,
    [`x-ratelimit-reset-${limit}`]: reset,
  });

  it.for<[object, unknown, number | null]>([
    [state('0', '6m0s'), null, 300_000],
    [state('0', '1m2.5s'), null, 62_500],
    [state('0', '1h'), null, 300_000],
    [state('0', '17'), null, 17_000],
    [state('0', '20ms'), null, null],
    [state('0', 'soon'), null, null],
    [state('12', '9s'), null, null],
    [state('12', '9s'), 'tokens', 9000],
    [state('12', '9s'), 'requests', null],
    [{ ...state('0', '9s'), ...state('0', '12s', 'requests') }, null, 12_000],
    [{ ...state('0', '9s'), ...state('5', '12s', 'requests') }, 'requests', 9000],
    [
      {
        'anthropic-ratelimit-input-tokens-remaining': '0',
        'anthropic-ratelimit-input-tokens-reset': '2026-11-21T12:00:41Z',
        date: noon,
      },
      null,
      41_000,
    ],
    [{}, 'tokens', null],
  ])('is read off %j, hit in %j, as %s', ([headers, kind, ms]) => {
    expect(limitResetMs({ ...headers }, kind)).toBe(ms);
  });
});

it.for([
  ['Rate limit reached. Please try again in 1m3.5s. Visit us.', 63_500],
  ['Please retry in 38.922534355s.', 38_923],
  ['try again in 20ms', 20],
  ['Try again after 7 seconds', 7000],
  ['retry in 99999h', 300_000],
  ['try again later', null],
  [`${'x'.repeat(3000)} try again in 5s`, null],
  [5, null],
] as const)('finds the wait that %j hints at', ([message, ms]) => {
  expect(hintedWaitMs(message)).toBe(ms);
});
