import { expect, it } from 'vitest';
import { answeredWith } from '../../testing/sample-exchange.ts';
import type { WireClient, WireRequest } from '../../wire/client.ts';
import type { LiveExchange } from '../../wire/live-exchange.ts';
import { CheckIsOver } from '../check-is-over.ts';
import { CheckRecord } from './check-record.ts';
import { CheckSender, withGzipOffer } from './check-sender.ts';

const request: WireRequest = { method: 'POST', path: '/api/v1/chat', body: {} };

/** A client whose exchanges end only when their signal aborts, as with a deployment that hangs. */
function hangingClient(sent: WireRequest[]): WireClient {
  const open = (one: WireRequest): LiveExchange => {
    sent.push(one);
    const { promise: done, resolve } = Promise.withResolvers<Awaited<LiveExchange['done']>>();
    one.signal?.addEventListener('abort', () => resolve(answeredWith()), { once: true });
    return { done } as LiveExchange;
  };
  return { open } as WireClient;
}

it('ends requests under way with the check, keeps them, and sends nothing afterwards', async () => {
  const sent: WireRequest[] = [];
  const record = new CheckRecord();
  const over = new AbortController();
  const sender = new CheckSender(
    {
      checkId: 'a.b.c',
      seed: 1,
      profile: { base_url: 'http://127.0.0.1:1', tls: {}, absent: [] },
      client: hangingClient(sent),
      signal: over.signal,
      timeline: null,
      budget: { spend: () => undefined, countTooLong: () => undefined, pay: () => undefined },
    },
    record,
  );
  const ended: string[] = [];
  sender.open(request, () => ended.push('first'));
  sender.open(request, () => ended.push('second'));
  const idle = sender.idle().then(() => ended.push('idle'));
  await Promise.resolve();
  expect(ended).toEqual([]);
  over.abort(new CheckIsOver());
  await idle;
  expect(ended).toEqual(['first', 'second', 'idle']);
  expect(record.sent).toHaveLength(2);
  expect(() => sender.open(request, () => undefined)).toThrow('the check is over');
  expect(sent).toHaveLength(2);
});

const saying = (content: string): WireRequest => ({
  method: 'POST',
  path: '/api/v1/chat/completions',
  headers: { authorization: 'Bearer k' },
  body: { messages: [{ role: 'user', content }] },
});
const offers = (sent: WireRequest): boolean => sent.headers?.['accept-encoding'] === 'gzip';

it('the marker of a scene has no say, so a replayed case offers what it did before', () => {
  for (let index = 0; index < 20; index += 1) {
    const [first, again] = ['gc0123456789ab', 'gcfedcba987654'].map((marker) =>
      offers(withGzipOffer(saying(`case ${index} [${marker}]`), 7, 'chat.a')),
    );
    expect(first).toBe(again);
  }
});

it('a request that names its own encodings keeps them', () => {
  for (let index = 0; index < 20; index += 1) {
    const own = { ...saying(`case ${index}`), headers: { 'Accept-Encoding': 'identity' } };
    expect(withGzipOffer(own, 7, 'chat.a')).toBe(own);
  }
});
