import { expect, it } from 'vitest';
import { foreignCaller } from './foreign-caller.ts';

it.each([
  '127.0.0.1',
  '127.0.0.1:9401',
  '127.8.9.1:80',
  '[::1]:9401',
  'localhost:9401',
  'LOCALHOST.',
  'a.localhost:1',
])('accepts calls of %s', (host) => {
  expect(foreignCaller({ host })).toBeNull();
  expect(foreignCaller({ host, origin: `http://${host}`, 'sec-fetch-site': 'same-origin' })).toBeNull();
});

it.each([
  'evil.example',
  'evil.example:9401',
  'localhost.evil.example',
  '127.0.0.1.evil.example',
  'notlocalhost',
  '192.168.0.7:9401',
  '0.0.0.0:9401',
  '[::2]:9401',
  'evil@127.0.0.1',
  '127.0.0.1/evil',
  '',
])('rejects the host and the origin %s, and names a valid host', (host) => {
  expect(foreignCaller({ host })).toContain('127.0.0.1 or localhost');
  expect(foreignCaller({ host: '127.0.0.1', origin: `https://${host}` })).toContain('outside a browser');
});

it.each(['null', 'file://', 'chrome-extension://abc', 'https://127.0.0.1@evil.example'])(
  'rejects the origin %s',
  (origin) => {
    expect(foreignCaller({ host: 'localhost', origin })).toContain(origin);
  },
);

it("rejects requests of other sites' pages without an origin, but not a page that a person opens", () => {
  const host = '127.0.0.1:9401';
  expect(foreignCaller({ host, 'sec-fetch-site': 'cross-site' })).toContain('other sites');
  expect(foreignCaller({ host, 'sec-fetch-site': 'same-site' })).toContain('other sites');
  expect(foreignCaller({ host, origin: 'http://127.0.0.1:1' })).toContain('outside a browser');
  expect(foreignCaller({ host, 'sec-fetch-site': 'none' })).toBeNull();
  expect(foreignCaller({})).toBeNull();
});
