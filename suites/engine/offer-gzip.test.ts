import { expect, it } from 'vitest';
import type { WireRequest } from '../wire/client.ts';
import { withGzipOffer } from './offer-gzip.ts';

const request = (content: string, headers = {}): WireRequest => ({
  method: 'POST',
  path: '/api/v1/chat/completions',
  headers: { authorization: 'Bearer k', ...headers },
  body: { messages: [{ role: 'user', content }] },
});
const offers = (sent: WireRequest): boolean => sent.headers?.['accept-encoding'] === 'gzip';
const cases = Array.from({ length: 200 }, (_, index) => request(`case ${index}`));

it('the marker of a scene has no say, so a replayed case offers what it did before', () => {
  for (let index = 0; index < 20; index += 1) {
    const [first, again] = ['gc0123456789ab', 'gcfedcba987654'].map((marker) =>
      offers(withGzipOffer(request(`case ${index} [${marker}]`), 7, 'chat.a')),
    );
    expect(first).toBe(again);
  }
});

it('a request that names its own encodings keeps them', () => {
  for (const one of cases.slice(0, 20)) {
    const own = { ...one, headers: { 'Accept-Encoding': 'identity' } };
    expect(withGzipOffer(own, 7, 'chat.a')).toBe(own);
  }
});
