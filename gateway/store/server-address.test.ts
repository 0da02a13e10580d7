import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeCertificates } from '../testing/certificates.ts';
import { readServerUrl } from './server-address.ts';

const directory = mkdtempSync(join(tmpdir(), 'gateway-address-'));
const [ca, cert, key, junk] = ['ca', 'cert', 'key', 'junk'].map((name) => join(directory, `${name}.pem`)) as [
  string,
  string,
  string,
  string,
];
beforeAll(async () => {
  const made = await makeCertificates();
  writeFileSync(ca, made.ca);
  writeFileSync(cert, made.cert);
  writeFileSync(key, made.key);
  writeFileSync(junk, 'no certificate');
});
afterAll(() => rmSync(directory, { recursive: true }));

const base = 'postgres://someone:s3cret@db.example.com:5432/ledger';
const read = (query: string, env: Record<string, string> = {}) => readServerUrl(`${base}${query}`, env);

describe('the URL of a server', () => {
  it('uses no encryption by default, and keeps other parameters', () => {
    expect(read('')).toMatchObject({ url: base, place: 'db.example.com:5432/ledger', ssl: false });
    expect(read('?application_name=x').url).toBe(`${base}?application_name=x`);
    expect(read('?sslmode=disable')).toMatchObject({ url: base, ssl: false });
    expect(readServerUrl('postgres:///ledger?host=/run/postgresql&sslmode=verify-full', {}).ssl).toBe(false);
  });

  it.each([
    ['require', '', false],
    ['require', `&sslrootcert=${ca}`, true],
    ['verify-ca', `&sslrootcert=${ca}`, true],
    ['verify-full', `&sslrootcert=${ca}`, true],
    ['verify-full', '', true],
    ['verify-full', '&sslrootcert=system', true],
  ])('with sslmode=%s%s verifies the issuer of the certificate: %s', (mode, more, isChecked) => {
    const { url, ssl } = read(`?sslmode=${mode}${more}&application_name=x`);
    expect(url).toBe(`${base}?application_name=x`);
    expect(ssl).toMatchObject({ rejectUnauthorized: isChecked });
  });

  it('accepts a client certificate, and takes missing parameters from the environment', () => {
    expect(read(`?ssl=true&sslcert=${cert}&sslkey=${key}`).ssl).toMatchObject({
      cert: expect.stringContaining('BEGIN CERTIFICATE'),
      key: expect.stringContaining('PRIVATE KEY'),
    });
    const env = { PGSSLMODE: 'verify-ca', PGSSLROOTCERT: ca };
    expect(read('', env).ssl).toMatchObject({ ca: expect.stringContaining('BEGIN CERTIFICATE') });
    expect(read('?sslmode=disable', env).ssl).toBe(false);
  });

  it.each([
    ['?sslmode=prefer', 'would fall back to clear text'],
    ['?sslmode=allow', 'would fall back to clear text'],
    ['?sslmode=no-verify', 'sslmode is none of disable, require, verify-ca, verify-full'],
    ['?ssl=1', 'ssl takes only true'],
    ['?sslmode=verify-ca', 'sslmode=verify-ca needs sslrootcert'],
    ['?sslmode=require&sslrootcert=system', 'use sslmode=verify-full'],
    [`?sslrootcert=${ca}`, 'without sslmode'],
    ['?sslmode=verify-full&sslrootcert=/nowhere.pem', 'sslrootcert names a file that cannot be read'],
    [`?sslmode=verify-full&sslrootcert=${junk}`, 'is not in the form PEM'],
    [`?sslmode=require&sslcert=${cert}`, 'sslcert and sslkey need each other'],
    [`?sslmode=require&sslcert=${ca}&sslkey=${key}`, 'do not work'],
    ['?sslmode=require&sslcrl=/crl.pem', 'sslcrl is not supported'],
    ['?sslmode=require&channel_binding=require', 'channel_binding=require is not supported'],
  ])('is rejected with %s, and the message omits the password', (query, words) => {
    const refused = (): unknown => read(query);
    expect(refused).toThrow(words);
    expect(refused).toThrow(/^The database in db\.example\.com:5432\/ledger cannot be used: .*\.$/);
    expect(refused).not.toThrow('s3cret');
  });
});
