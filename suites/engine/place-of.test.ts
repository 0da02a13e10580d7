import { expect, it } from 'vitest';
import type { Exchange } from '../wire/exchange.ts';
import { placeOf } from './place-of.ts';

function sent(path: string, body = '', method = 'POST'): Exchange {
  const request = { method, url: `https://gw.test${path}`, headers: [], body: Buffer.from(body) };
  return { label: '', request, response: null, error: null, sentAt: 0, endedAt: 0 };
}

it.each([
  [sent('/api/v1/chat/completions', '{"model":"beta-mid-4-5"}'), 'core, beta'],
  [sent('/v/api/v1/chat/completions', '{"stream": true, "model" : "delta-3"'), 'core, stream, delta'],
  [sent('/compat-a/v1/messages', '{"model":"beta-mid-4-5","stream":true}'), 'compat-a, stream, beta'],
  [
    sent('/compat-b/v1beta/models/gamma-3-pro:streamGenerateContent?alt=sse', '{}'),
    'compat-b, stream, gamma',
  ],
  [sent('/api/v1/images/generations', '{"model":"kontext-pro"}'), 'images'],
  [sent('/api/v1/chat/completions', '{"model":"constructor"}'), 'core'],
  [sent('/api/v1/tasks', '{"model":"song-v5"}'), 'tasks, audio'],
  [sent('/api/v1/tasks/t-1', '', 'GET'), 'task reads'],
  [sent('/api/v1/models', '', 'GET'), 'models'],
  [sent('/api/v1/models', ''), null],
  [sent('/healthz', '', 'GET'), null],
  [sent('/', '{"model":"beta-mid-4-5"}'), null],
  [undefined, null],
])('tells the way in and the family of an exchange, case %#', (exchange, place) => {
  expect(placeOf(exchange)).toBe(place);
});
