import { expect, it } from 'vitest';
import { createSeal } from './seal.ts';

const secret = `whsec_${Buffer.alloc(32, 1).toString('base64')}`;
const seal = createSeal('a pepper for tests');

it('decrypts its output for the same owner, and hides the secret meanwhile', () => {
  const sealed = seal.close(secret, 'acc');
  expect(sealed).not.toContain(secret.slice(6, 20));
  expect(Buffer.from(sealed.slice(3), 'base64url').includes('whsec')).toBe(false);
  expect(seal.open(sealed, 'acc')).toBe(secret);
  expect(createSeal('a pepper for tests').open(sealed, 'acc')).toBe(secret);
});

it('encrypts the same secret differently each time', () => {
  expect(seal.close(secret, 'acc')).not.toBe(seal.close(secret, 'acc'));
});

it('decrypts nothing for another owner, under another pepper, or with a changed bit', () => {
  const sealed = seal.close(secret, 'acc');
  expect(seal.open(sealed, 'other')).toBeNull();
  expect(createSeal('another pepper').open(sealed, 'acc')).toBeNull();
  const bytes = Buffer.from(sealed.slice(3), 'base64url');
  for (let at = 0; at < bytes.length; at += 1) {
    const changed = Buffer.from(bytes);
    changed.writeUInt8(changed.readUInt8(at) ^ 1, at);
    expect(seal.open(`v1.${changed.toString('base64url')}`, 'acc')).toBeNull();
  }
  for (const odd of ['', 'v1.', `v2.${sealed.slice(3)}`, sealed.slice(0, 20), secret])
    expect(seal.open(odd, 'acc')).toBeNull();
});
