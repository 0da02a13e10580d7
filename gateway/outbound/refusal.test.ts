import { isIP } from 'node:net';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { harmlessSpellings, privateSpellings } from '../testing/url-spellings.ts';
import { isPublicAddress, publicOutside } from './public-address.ts';
import { refusal } from './refusal.ts';

const rules = {
  ports: [443, 8443],
  allowed: new Set(['127.0.0.1:9443', '[::1]:9443', 'hooks.test:443']),
  isOpen: publicOutside(['93.184.216.0/24', '2001:db9::/32']),
};
const refused = (url: string, kind: 'webhook' | 'file'): string | null => refusal(url, kind, rules);

it.for(privateSpellings)('rejects %j for webhooks and files', (spelling) => {
  const url = spelling.replace('{port}', '8443');
  expect(refused(url, 'webhook')).toMatch(/^must /);
  expect(refused(url, 'file')).toMatch(/^must /);
  expect(refused(url.replace(/^https:/, 'http:'), 'file')).toMatch(/^must /);
});

it('accepts hosts that only look private', () => {
  expect(harmlessSpellings.length).toBeGreaterThanOrEqual(20);
  for (const url of harmlessSpellings) {
    expect([url, refused(url, 'webhook')]).toEqual([url, null]);
    expect([url, refused(url, 'file')]).toEqual([url, null]);
  }
});

it('accepts https URLs for events, and http and https URLs for files', () => {
  expect(refused('http://example.com/', 'webhook')).toBe('must be an https URL');
  expect(refused('http://example.com/', 'file')).toBeNull();
  for (const url of ['ftp://example.com/', 'example.com', '//example.com/', '', 'https://'])
    expect(refused(url, 'file')).toBe('must be an http or https URL');
});

it('explains a rejection without naming the target', () => {
  expect(refused('https://me:word@example.com/', 'webhook')).toBe('must not hold a user name or a password');
  expect(refused('https://example.com/#', 'webhook')).toBe('must not have a fragment');
  expect(refused('https://example.com/#x', 'file')).toBeNull();
  expect(refused('https://10.0.0.1/', 'webhook')).toBe('must be a URL that anyone can reach');
  expect(refused('https://example.com:444/', 'webhook')).toBe('must name port 443 or 8443');
});

it.for([22, 25, 0, 53, 110, 143, 465, 587, 993, 2049, 3306, 5432, 6000, 6379, 6667, 9200, 11211, 27017])(
  'rejects port %i even for a file',
  (port) => {
    expect(refused(`https://example.com:${port}/`, 'webhook')).toMatch(/^must name port/);
    expect(refused(`https://example.com:${port}/`, 'file')).toBe('must name another port');
    expect(refused(`http://example.com:${port}/`, 'file')).toBe('must name another port');
  },
);

it.for([80, 443, 8080, 8443, 9000, 65535])('accepts a file from port %i', (port) => {
  expect(refused(`http://example.com:${port}/`, 'file')).toBeNull();
});

it('accepts exactly the allowed hosts and ports', () => {
  for (const url of [
    'https://127.0.0.1:9443/',
    'https://[::1]:9443/x',
    'https://hooks.test/',
    'https://127.1:9443/',
  ])
    expect([url, refused(url, 'webhook')]).toEqual([url, null]);
  for (const url of [
    'https://127.0.0.1:9444/',
    'https://127.0.0.1/',
    'https://127.0.0.2:9443/',
    'https://localhost:9443/',
    'https://[::ffff:127.0.0.1]:9443/',
  ])
    expect([url, refused(url, 'webhook')]).toEqual([url, 'must be a URL that anyone can reach']);
  // All other rules still apply.
  expect(refused('http://127.0.0.1:9443/', 'webhook')).toBe('must be an https URL');
  expect(refused('https://me@127.0.0.1:9443/', 'webhook')).toMatch(/user name/);
  expect(refused('https://127.0.0.1:9443/#x', 'webhook')).toMatch(/fragment/);
});

it('rejects URLs that are longer than any in use', () => {
  expect(refused(`https://example.com/${'a'.repeat(8172)}`, 'webhook')).toBeNull();
  expect(refused(`https://example.com/${'a'.repeat(8173)}`, 'webhook')).toMatch(/^must be/);
  expect(refused(`https://${'a.'.repeat(130)}com/`, 'webhook')).toMatch(/^must be/);
});

it('rejects own networks of the operator although they are public', () => {
  for (const host of ['93.184.216.34', '[2001:db9::1]', '1572395042'])
    for (const kind of ['webhook', 'file'] as const)
      expect([host, refused(`https://${host}/`, kind)]).toEqual([
        host,
        'must be a URL that anyone can reach',
      ]);
  expect(refused('https://93.184.217.34/', 'webhook')).toBeNull();
});

/** Parts of URLs, and characters that parsers replace or drop. */
const pieces = [
  ...[
    '127.0.0.1',
    'localhost',
    'example.com',
    'internal',
    'local',
    '::1',
    '0',
    '0x7f',
    '256',
    '1',
    '.1',
    'a',
    'xn--',
  ],
  ...[
    '@',
    ':',
    '/',
    '//',
    '?',
    '#',
    '.',
    '[',
    ']',
    '-',
    '_',
    '*',
    ';',
    '|',
    ',',
    '=',
    '&',
    '8443',
    '443',
    'https://',
  ],
  ...[
    '%00',
    '%2e',
    '%40',
    '%5c',
    '\\',
    ' ',
    '\t',
    '\n',
    '\r',
    '\0',
    '①',
    '。',
    '／',
    '＠',
    '＃',
    '？',
    '…',
    'ſ',
    'K',
  ],
  ...['\u200b', '\u00ad', '\u202e', 'É', '℡', '㏕'],
] as const;

it('rejects every text that two parsers could read as different hosts', () => {
  const texts = fc
    .array(fc.constantFrom(...pieces), { minLength: 1, maxLength: 7 })
    .map((parts) => parts.join(''));
  fc.assert(
    fc.property(texts, (rest) => {
      const text = `https://${rest}`;
      if (refusal(text, 'webhook', { ...rules, allowed: new Set() }) !== null) return;
      const { hostname, host, port, username, password, hash } = new URL(text);
      const bare = hostname.replace(/^\[|\]$/g, '');
      if (isIP(bare) !== 0) expect(isPublicAddress(bare)).toBe(true);
      else expect(bare).toMatch(/^[a-z0-9_-]+(?:\.[a-z0-9_-]+)+\.?$/);
      expect(bare).not.toMatch(/(?:^|\.)(?:localhost|local|internal)\.?$/);
      expect([username, password, hash, ['', '8443'].includes(port)]).toEqual(['', '', '', true]);
      // A reader that only extracts the authority gets the same host.
      const [, authority = ''] = /^https:\/\/([^/?#]*)/.exec(text) ?? [];
      expect(new URL(`https://${authority}/`).host).toBe(host);
    }),
    { numRuns: 5_000 },
  );
});
