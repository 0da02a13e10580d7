import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { type AddressFlags, originAt, readAddress } from './own-address.ts';

const token = 'a-token-of-16-le';

it.each([
  [{}, '', 'http://127.0.0.1:9400', null],
  [{ host: 'localhost' }, '', 'http://localhost:9400', null],
  [{ host: '::1' }, '', 'http://[::1]:9400', null],
  [{}, token, 'http://127.0.0.1:9400', token],
  [{ host: '0.0.0.0' }, token, 'http://127.0.0.1:9400', token],
  [{ host: '0.0.0.0', name: 'simulators' }, token, 'http://simulators:9400', token],
  [{ host: '192.0.2.9' }, token, 'http://192.0.2.9:9400', token],
] satisfies [AddressFlags, string, string, string | null][])(
  'reads %j with the token "%s"',
  (flags, given, origin, kept) => {
    const address = readAddress(flags, given);
    expect(originAt(address, 9400)).toBe(origin);
    expect(address.token).toBe(kept);
  },
);

it.each([
  [{ host: '0.0.0.0' }, '', 'set GATECHECK_CONTROL_TOKEN'],
  [{ host: '192.0.2.9' }, '', 'set GATECHECK_CONTROL_TOKEN'],
  [{ host: '127.example.com' }, '', 'set GATECHECK_CONTROL_TOKEN'],
  [{}, 'short', 'GATECHECK_CONTROL_TOKEN must have at least 16 characters'],
  [{ 'tls-cert': 'cert.pem' }, '', '--tls-cert and --tls-key belong together'],
  [
    { 'tls-cert': '/nowhere/cert.pem', 'tls-key': '/nowhere/key.pem' },
    '',
    '--tls-cert /nowhere/cert.pem does not exist',
  ],
  [{ 'tls-cert': '/dev/zero', 'tls-key': 'key.pem' }, '', '/dev/zero cannot be read (EFBIG)'],
] satisfies [AddressFlags, string, string][])('rejects %j with the token "%s"', (flags, given, sentence) => {
  expect(() => readAddress(flags, given)).toThrow(sentence);
});

it('reads certificate and key from their files', () => {
  const folder = mkdtempSync(join(tmpdir(), 'simulators-address-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const [cert, key] = ['cert', 'key'].map((name) => {
    writeFileSync(join(folder, name), `${name} in PEM`);
    return join(folder, name);
  });
  const address = readAddress({ 'tls-cert': cert, 'tls-key': key }, '');
  expect(address.tls).toEqual({ cert: 'cert in PEM', key: 'key in PEM' });
  expect(originAt(address, 9400)).toBe('https://127.0.0.1:9400');
});
