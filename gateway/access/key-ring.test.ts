import { expect, it } from 'vitest';
import type { KeyRecord } from './caller.ts';
import { createKeyRing } from './key-ring.ts';

const keyRecord: KeyRecord = {
  hash: 'hash of a secret',
  id: 'key',
  account_id: 'acc',
  user_id: 'usr',
  app_id: 'app',
  cap: 3,
  models: null,
  disabled: false,
  expires_at_ms: null,
  allow: ['10.0.0.0/8'],
  channels_of: null,
  markup_bp: 0,
  model_markup_bp: {},
};

it('parses the ranges of a key only when it is first used, because a change may replace many keys', () => {
  let reads = 0;
  const record: KeyRecord = Object.defineProperty({ ...keyRecord }, 'allow', {
    get: () => {
      reads += 1;
      return ['10.0.0.0/8'];
    },
  });
  const keys = createKeyRing([record], (secret) => `hash of ${secret}`);
  keys.replace([record], null);
  const key = keys.find('a secret');
  expect(reads).toBe(0);
  expect(key?.allows('10.1.2.3')).toBe(true);
  expect(key?.allows('11.1.2.3')).toBe(false);
  expect(reads).toBe(1);
});

it('hashes a secret once until its key is replaced', () => {
  const hashed: string[] = [];
  const keys = createKeyRing([keyRecord], (secret) => {
    hashed.push(secret);
    return `hash of ${secret}`;
  });
  for (const secret of ['a secret', 'a guess', 'a secret', 'a guess'])
    expect(keys.find(secret)?.record.id).toBe(secret === 'a secret' ? 'key' : undefined);
  expect(hashed).toEqual(['a secret', 'a guess', 'a guess']);
  keys.replace([{ ...keyRecord, disabled: true }], ['acc']);
  expect(keys.find('a secret')?.record.disabled).toBe(true);
  keys.replace([], ['another']);
  expect(keys.find('a secret')).not.toBeNull();
  keys.replace([], ['acc']);
  expect(keys.find('a secret')).toBeNull();
});

it('limits how many secrets it remembers', () => {
  const hashed = new Map<string, number>();
  const records = Array.from({ length: 1_001 }, (_, n) => ({ ...keyRecord, hash: `hash of ${n}` }));
  const keys = createKeyRing(records, (secret) => {
    hashed.set(secret, (hashed.get(secret) ?? 0) + 1);
    return `hash of ${secret}`;
  });
  for (let n = 0; n < 1_001; n += 1) keys.find(String(n));
  keys.find('0');
  keys.find('1000');
  expect([hashed.get('0'), hashed.get('1000')]).toEqual([2, 1]);
});
