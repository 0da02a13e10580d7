import { expect, it } from 'vitest';
import { callsPerMinuteIn, isByTime } from './rate-limit.ts';

const none: [string, string][] = [];

it.each([
  [20, 429, none, '{"error":{"message":"Rate limit reached: 20 requests per minute. Try again in 17 s."}}'],
  [5, 429, none, '{"error":"Rate limit exceeded: 5 per 1 minute"}'],
  [60, 429, none, 'limit 60 RPM'],
  [null, 429, none, 'too many requests'],
  [null, 200, none, 'the answer of a model: 20 requests per minute'],
  [500, 200, [['X-RateLimit-Limit-Requests', '500']], ''],
  [20, 200, [['RateLimit-Policy', '"default";20;w=60']], ''],
  [120, 200, [['ratelimit-limit', '20;w=10']], ''],
  [null, 200, [['x-ratelimit-limit-tokens', '90000']], ''],
] as const)('reads %s calls per minute from HTTP %i %j %s', (expected, status, headers, text) => {
  expect(callsPerMinuteIn({ status, headers: [...headers] as [string, string][], text })).toBe(expected);
});

it('tells a limit by time from a cap of calls at once', () => {
  expect(isByTime('Too Many Requests')).toBe(true);
  expect(isByTime('Rate limit exceeded: 5 per 1 minute')).toBe(true);
  expect(isByTime('2 calls in flight: the cap of this user')).toBe(false);
});
