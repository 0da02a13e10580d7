import { X509Certificate } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { type KeyFiles, keysFor, type ReceiverKeys } from './keys.ts';

const dir = mkdtempSync(join(tmpdir(), 'receiver-keys-test-'));
afterAll(() => rmSync(dir, { recursive: true }));

const dayMs = 24 * 60 * 60 * 1000;

function keys(files: KeyFiles, nowMs = Date.now()): Promise<ReceiverKeys> {
  return keysFor(['ci.example', '192.0.2.7'], { dir, files, plain: false, now: () => nowMs });
}

it('makes a certificate valid for its names and addresses, and writes its authority to a file', async () => {
  const { keys: made, ca, vouchers } = await keys({});
  const [leaf, authority] = [new X509Certificate(made.cert), new X509Certificate(readFileSync(ca, 'utf8'))];
  expect(leaf.checkHost('ci.example')).toBe('ci.example');
  expect(leaf.checkIP('192.0.2.7')).toBe('192.0.2.7');
  expect(leaf.checkHost('other.example')).toBeUndefined();
  expect(leaf.verify(authority.publicKey)).toBe(true);
  expect([authority.ca, leaf.ca]).toEqual([true, false]);
  expect(vouchers).toBe(readFileSync(ca, 'utf8'));
});

it('reuses a kept authority in the next run, with a key that only its owner can read', async () => {
  const file = join(dir, 'kept.pem');
  const [first, second] = [await keys({ ca: file }), await keys({ ca: file })];
  expect(second.vouchers).toBe(first.vouchers);
  expect(second.keys.cert).not.toBe(first.keys.cert);
  expect(
    new X509Certificate(second.keys.cert).verify(new X509Certificate(readFileSync(file)).publicKey),
  ).toBe(true);
  expect(statSync(`${file}.key`).mode & 0o777).toBe(0o600);
});

it('rejects an expired authority and names its file', async () => {
  const file = join(dir, 'old.pem');
  await keys({ ca: file }, Date.now() - 366 * dayMs);
  await expect(keys({ ca: file })).rejects.toThrow(/old\.pem and .*old\.pem\.key .* it ends on 2/);
});

it('rejects files that are neither key nor certificate, and names them', async () => {
  const [broken, alone] = [join(dir, 'broken.pem'), join(dir, 'alone.pem')];
  for (const file of [broken, `${broken}.key`, alone]) writeFileSync(file, 'nothing');
  await expect(keys({ ca: broken })).rejects.toThrow('are not a usable certificate authority');
  await expect(keys({ ca: alone })).rejects.toThrow('exists without');
  await expect(keys({ cert: join(dir, 'no.pem'), key: join(dir, 'no.key') })).rejects.toThrow(
    /cannot read .*no\.pem: ENOENT/,
  );
});

it('uses the user’s own certificate unchanged, and expects its authority in the system’s store', async () => {
  const own = { cert: join(dir, 'own.pem'), key: join(dir, 'own.key') };
  const { keys: made } = await keys({});
  writeFileSync(own.cert, made.cert);
  writeFileSync(own.key, made.key);
  expect(await keys(own)).toMatchObject({ keys: made, vouchers: null });
});
