import 'reflect-metadata';
import { webcrypto } from 'node:crypto';
import { createServer, type Server } from 'node:https';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import * as x509 from '@peculiar/x509';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ask } from '../testing/caller-view.ts';
import { goodBody, NATIVE_WORDS } from '../testing/native-dialects.ts';
import { startTestGateway, testConfig } from '../testing/test-gateway.ts';

const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
const DAY_MS = 86_400_000;

interface Pair {
  readonly certificate: x509.X509Certificate;
  readonly keys: webcrypto.CryptoKeyPair;
}

/** A certificate for a host, by an authority or else by itself. */
async function certify(host: string, endsInDays: number, authority: Pair | null): Promise<Pair> {
  const keys = await webcrypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify']);
  const certificate = await x509.X509CertificateGenerator.create({
    serialNumber: '01',
    subject: `CN=${host}`,
    issuer: authority?.certificate.subject ?? `CN=${host}`,
    notBefore: new Date(Date.now() - 2 * DAY_MS),
    notAfter: new Date(Date.now() + endsInDays * DAY_MS),
    signingAlgorithm: ALGORITHM,
    publicKey: keys.publicKey,
    signingKey: authority?.keys.privateKey ?? keys.privateKey,
    extensions: [
      new x509.SubjectAlternativeNameExtension([{ type: host === '127.0.0.1' ? 'ip' : 'dns', value: host }]),
      new x509.BasicConstraintsExtension(host === 'authority', undefined, true),
    ],
  });
  return { certificate, keys };
}

/** What the upstream answers, whatever it is asked, and how often it was. */
async function serve(
  { certificate, keys }: Pair,
  body: string,
): Promise<{ server: Server; asked: () => number }> {
  let asked = 0;
  const key = x509.PemConverter.encode(
    await webcrypto.subtle.exportKey('pkcs8', keys.privateKey),
    'PRIVATE KEY',
  );
  const server = createServer({ key, cert: certificate.toString('pem') }, (request, response) => {
    asked += 1;
    request.resume();
    response.end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { server, asked: () => asked };
}

let authority: Pair;
const trusted = getCACertificates('default');
beforeAll(async () => {
  authority = await certify('authority', 30, null);
  setDefaultCACertificates([...trusted, authority.certificate.toString('pem')]);
});
afterAll(() => setDefaultCACertificates(trusted));

it.for<[name: string, host: string, endsInDays: number, isOfAuthority: boolean, isTrusted: boolean]>([
  ['a good certificate', '127.0.0.1', 30, true, true],
  ['a certificate by itself', '127.0.0.1', 30, false, false],
  ['an expired certificate', '127.0.0.1', -1, true, false],
  ['a certificate for another host', 'upstream.test', 30, true, false],
])(
  '%s is trusted: %5$s, and without trust nothing is sent (T4)',
  async ([, host, days, isOfAuthority, isTrusted]) => {
    const pair = await certify(host, days, isOfAuthority ? authority : null);
    const [words] = NATIVE_WORDS;
    if (words === undefined) throw new Error('no dialect');
    const { server, asked } = await serve(pair, goodBody(words, false));
    const address = server.address();
    const port = typeof address === 'object' ? address?.port : 0;
    const gateway = await startTestGateway(testConfig(`https://127.0.0.1:${port}`));
    expect(await ask(gateway, words, false)).toMatchObject(
      isTrusted ? { seen: 'served' } : { seen: 'refused', code: 'upstream_error' },
    );
    expect(asked()).toBe(isTrusted ? 1 : 0);
    await gateway.close();
    server.closeAllConnections();
    server.close();
  },
);
