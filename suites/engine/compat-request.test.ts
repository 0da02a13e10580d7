import { expect, it } from 'vitest';
import { compatARequest, compatBRequest } from './compat-request.ts';
import { withGzipOffer } from './parts/check-sender.ts';
import { digestOf, withoutKey } from './requests.ts';
import { modelAsked } from './upstream-trouble.ts';

const body = { contents: [{ role: 'user', parts: [{ text: 'Hello.' }] }] };

it('gives equal digests and random choices for two stacks that differ only in their keys', () => {
  const ask = (key: string) => compatBRequest('gamma-3-pro', body, { stream: true }, key);
  const [one, other] = [ask('sk-app-one'), ask('sk-app-another')];
  expect(withoutKey('/x?alt=sse&key=abc&b=1')).toBe('/x?alt=sse&key=&b=1');
  expect(digestOf(one)).toBe(digestOf(other));
  for (let seed = 0; seed < 8; seed += 1)
    expect(withGzipOffer(one, seed, 'c').headers).toEqual(withGzipOffer(other, seed, 'c').headers);
});

it('reads the requested model and the key at each path', () => {
  expect(modelAsked(compatARequest({ model: 'beta-mid-4-5' }, {}, 'sk-app-a'))).toEqual({
    key: 'sk-app-a',
    model: 'beta-mid-4-5',
  });
  expect(modelAsked(compatBRequest('gamma-3-pro', body, { stream: true }, 'sk-app-b'))).toEqual({
    key: 'sk-app-b',
    model: 'gamma-3-pro',
  });
  expect(modelAsked(compatBRequest('gamma-3-pro', body, { key: null }, 'sk-app-b'))).toBeNull();
});
