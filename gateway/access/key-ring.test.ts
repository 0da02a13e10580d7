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

it('does nothing about the ranges of a key before it is used, because every change replaces all keys', () => {
  let reads = 0;
  const record: KeyRecord = Object.defineProperty({ ...keyRecord }, 'allow', {
    get: () => {
      reads += 1;
      return ['10.0.0.0/8'];
    },
  });
  const keys = createKeyRing([record], (secret) => `hash of ${secret}`);
  keys.replace([record]);
  const key = keys.find('a secret');
  expect(reads).toBe(0);
  expect(key?.allows('10.1.2.3')).toBe(true);
  expect(key?.allows('11.1.2.3')).toBe(false);
  expect(reads).toBe(1);
});
