import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { makeAuthority } from '../receiver/authority.ts';
import { assertTlsFiles } from './tls-files.ts';

const folder = mkdtempSync(join(tmpdir(), 'gatecheck-tls-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

beforeAll(async () => {
  for (const name of ['one', 'other']) {
    const { cert, key } = await makeAuthority(Date.now());
    writeFileSync(join(folder, `${name}.pem`), cert);
    writeFileSync(join(folder, `${name}.key`), key);
  }
});

function tried(tls: Readonly<Record<string, string>>): () => void {
  const paths = Object.fromEntries(Object.entries(tls).map(([member, name]) => [member, join(folder, name)]));
  return () => assertTlsFiles({ tls: paths });
}

it('accepts matching certificates and key', () => {
  expect(tried({ ca: 'one.pem', cert: 'other.pem', key: 'other.key' })).not.toThrow();
});

it.each([
  [{ ca: 'none.pem' }, /tls\.ca \S+none\.pem: there is no such file/],
  [{ ca: 'one.key' }, /tls\.ca \S+one\.key has no certificate in PEM/],
  [{ cert: 'one.pem', key: 'one.pem' }, /tls\.key \S+one\.pem has no private key in PEM/],
  [{ cert: 'one.pem', key: 'other.key' }, /tls\.key \S+other\.key is not the key of the certificate/],
])('rejects %o with a clear sentence', (tls, said) => {
  expect(tried(tls)).toThrow(said);
});
