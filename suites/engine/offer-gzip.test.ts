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

it('some calls offer gzip and some do not, in the same way for the same seed', () => {
  const drawn = cases.map((one) => offers(withGzipOffer(one, 7, 'chat.a')));
  expect(drawn.filter(Boolean).length).toBeGreaterThan(60);
  expect(drawn.filter(Boolean).length).toBeLessThan(140);
  expect(cases.map((one) => offers(withGzipOffer(one, 7, 'chat.a')))).toEqual(drawn);
  expect(cases.map((one) => offers(withGzipOffer(one, 8, 'chat.a')))).not.toEqual(drawn);
  expect(cases.map((one) => offers(withGzipOffer(one, 7, 'chat.b')))).not.toEqual(drawn);
});

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

it('bodies of bytes, of text and none at all draw too', () => {
  for (const body of [Buffer.from([0xff, 0xfe]), '{"a":', undefined])
    expect(withGzipOffer({ method: 'GET', path: '/', body }, 1, 'ep.x').method).toBe('GET');
});
