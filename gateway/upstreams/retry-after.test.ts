import type { IncomingHttpHeaders } from 'node:http';
import { expect, it } from 'vitest';
import { classifyError as chat } from './chat-completions/classify.ts';
import { retryAfterMs } from './retry-after.ts';

const date = 'Mon, 02 Mar 2026 10:00:00 GMT';
const dateMs = Date.parse(date);

type Row = [what: string, headers: IncomingHttpHeaders, error: object, ms: number | null];

it.for<Row>([
  ['seconds', { 'retry-after': '7' }, {}, 7000],
  ['milliseconds', { 'retry-after-ms': '6500' }, {}, 6500],
  ['a duration', { 'retry-after': '1m30s' }, {}, 90_000],
  ['seconds with their unit', { 'retry-after': '7s' }, {}, 7000],
  ['a date', { 'retry-after': 'Mon, 02 Mar 2026 10:00:09 GMT' }, {}, 9000],
  ['seconds since 1970', { 'retry-after': String(dateMs / 1000 + 9) }, {}, 9000],
  ['nothing', { 'retry-after': 'soon' }, {}, null],
  ['an exhausted limit', { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '8' }, {}, 8000],
  ['the only limit', { 'ratelimit-reset': '8' }, {}, 8000],
  ['a limit with room', { 'ratelimit-remaining': '3', 'ratelimit-reset': '8' }, {}, null],
  ['a reset in milliseconds since 1970', { 'x-ratelimit-reset': String(dateMs + 8000) }, {}, 8000],
  ['a list of limits', { ratelimit: '"day";r=50;t=9000, "minute";r=0;t=8' }, {}, 8000],
  ['one limit of an earlier draft', { ratelimit: 'limit=10, remaining=0, reset=8' }, {}, 8000],
  ['limits with room', { ratelimit: '"day";r=50;t=9000, "minute";r=3;t=8' }, {}, null],
  [
    'the account as a whole',
    {
      'anthropic-ratelimit-unified-status': 'rejected',
      'anthropic-ratelimit-unified-reset': String(dateMs / 1000 + 8),
    },
    {},
    8000,
  ],
  ['a detail', {}, { details: [{ reason: 'X' }, { retryDelay: '8s' }] }, 8000],
  ['a detail in parts', {}, { details: [{ retryDelay: { seconds: 8, nanos: 500_000_000 } }] }, 8500],
  ['a detail in snake case', {}, { details: [{ retry_delay: { seconds: '8' } }] }, 8000],
  ['a member', {}, { retry_after: 8.2 }, 8200],
  ['a member in camel case', {}, { retryAfter: 8 }, 8000],
  ['a time of loading', {}, { estimated_time: 20.1 }, 20_100],
  [
    'headers behind a proxy',
    {},
    { metadata: { headers: { 'X-RateLimit-Remaining': '0', 'X-RateLimit-Reset': String(dateMs + 8000) } } },
    8000,
  ],
  ...(
    [
      ['Please try again in 8.2s.', 8200],
      ['Please try again in 820ms.', 820],
      ['Try again in 7m12.5s', 300_000],
      ['Please retry in 33.5s.', 33_500],
      ['Please retry after 26 seconds.', 26_000],
      ['try again in 2 minutes', 120_000],
      ['Try again in 1 minute 30 seconds', 90_000],
      ['Please wait 8 secs before you retry', 8000],
      ['Please wait for about 3 min', 180_000],
      ['Wait for 5 messages', null],
    ] as const
  ).map(([message, ms]): Row => [message, {}, { message }, ms]),
])('a busy upstream asks to wait by %s', ([, headers, error, ms]) => {
  expect(chat({ error }, 429, { date, ...headers }).retryAfterMs).toBe(ms);
});

it('a point in time needs the date of the answer', () => {
  expect(retryAfterMs({ 'retry-after': date })).toBeNull();
});
