import { expect, it } from 'vitest';
import { dialect } from './dialect.ts';
import { keyPrefixOf, prefixIn } from './key-prefix.ts';

it.each([
  ['sk-app-0123456789abcdef', undefined],
  ['sk-0123456789abcdef', 'sk-'],
  ['db_sk_VeMalk7r0123456789', 'db_sk_'],
  ['gw-live-0123456789abcdef', 'gw-live-'],
  ['hunter-2', null],
  ['0123456789abcdef0123456789', null],
])('what looks like a prefix is one: %s', (key, prefix) => {
  expect(prefixIn(key)).toBe(prefix);
});

it('keys begin as specified, or as the dialect says', () => {
  expect(keyPrefixOf({ dialect: undefined })).toBe('sk-app-');
  expect(keyPrefixOf({ dialect: dialect.parse({}) })).toBe('sk-app-');
  expect(keyPrefixOf({ dialect: dialect.parse({ keys: { prefix: 'db_sk_' } }) })).toBe('db_sk_');
  expect(keyPrefixOf({ dialect: dialect.parse({ keys: { prefix: null } }) })).toBeNull();
});
