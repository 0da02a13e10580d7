import { expect, it } from 'vitest';
import { callsPerMinuteIn, isByTime, isUndeclaredByTime, mayBeByTime } from './rate-limit.ts';

const none: [string, string][] = [];

it.each([
  [20, 429, none, '{"error":{"message":"Rate limit reached: 20 requests per minute. Try again in 17 s."}}'],
  [60, 429, none, '{"error":{"message":"来源 127.0.0.1 超过每分钟 60 请求的 IP 限额"}}'],
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

it.each([
  [true, true, 'Rate limit exceeded: 5 per 1 minute'],
  [true, false, '{"error":{"code":"concurrency_exceeded","message":"20 requests per minute"}}'],
  // Words that both kinds of limits have excuse nothing.
  [false, true, 'Too Many Requests'],
  [false, false, '{"error":{"type":"rate_limit_error","code":"concurrency_exceeded","message":"Wait."}}'],
  [false, true, '{"error":{"type":"rate_limit_error","code":"rate_limit_exceeded"}}'],
  [
    false,
    false,
    '{"error":{"type":"rate_limit_error","message":"Too many requests in flight for this user."}}',
  ],
  [false, false, 'Rate limit: 3 concurrent requests'],
  [false, false, '2 calls in flight: the cap of this user'],
])('whether a refusal is by time: %s, or may be: %s, %s', (isSo, mayBe, text) => {
  expect([isByTime(text), mayBeByTime(text)]).toEqual([isSo, mayBe]);
});

it.each<[string, string, Record<string, string>, boolean]>([
  ['words of time', '{"error":"Rate limit reached: 20 requests per minute"}', {}, true],
  ['headers of an empty window', '{"message":"No."}', { 'x-ratelimit-remaining-requests': '0' }, true],
  ['a list of policies', '{"message":"No."}', { RateLimit: '"default";r=0;t=30' }, true],
  ['too many requests, with a time', '{"message":"Too Many Requests"}', { 'Retry-After': '3' }, true],
  ['too many requests', '{"message":"Too Many Requests"}', {}, false],
  ['calls at once', '{"message":"rate limit: too many parallel requests"}', {}, false],
  ['a code of the cap', '{"error":{"code":"concurrency_exceeded","message":"rate limit"}}', {}, false],
  ['a quota', '{"message":"Monthly quota: rate limit"}', { 'retry-after': '3' }, false],
])('a limit by time that nobody has declared shows itself by %s', (_, text, headers, is) => {
  expect(isUndeclaredByTime({ status: 429, headers: Object.entries(headers), text })).toBe(is);
  expect(isUndeclaredByTime({ status: 400, headers: Object.entries(headers), text })).toBe(false);
});
