import 'reflect-metadata';
import { webcrypto } from 'node:crypto';
import { isIP } from 'node:net';
import * as x509 from '@peculiar/x509';

const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
const dayMs = 86_400_000;

/** A certificate with its key, both also as PEM. */
export interface Certified {
  readonly cert: string;
  readonly key: string;
  readonly certificate: x509.X509Certificate;
  readonly keys: webcrypto.CryptoKeyPair;
}

/** The certificate of a receiver on this machine and that of its authority; all PEM. */
export interface Certificates {
  readonly ca: string;
  readonly cert: string;
  readonly key: string;
}

/** A certificate for 127.0.0.1 and localhost, signed by its own authority. */
export async function makeCertificates(): Promise<Certificates> {
  const authority = await certify(['authority'], null);
  const { cert, key } = await certify(['127.0.0.1', 'localhost'], authority);
  return { ca: authority.cert, cert, key };
}

/** A certificate for hosts or addresses, signed by an authority or by itself. The host `authority` may sign others. */
export async function certify(
  hosts: readonly [string, ...string[]],
  authority: Certified | null,
  endsInDays = 30,
): Promise<Certified> {
  const subject = `CN=${hosts[0]}`;
  const keys = await webcrypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);
  const certificate = await x509.X509CertificateGenerator.create({
    serialNumber: '01',
    subject,
    issuer: authority?.certificate.subject ?? subject,
    notBefore: new Date(Date.now() - 2 * dayMs),
    notAfter: new Date(Date.now() + endsInDays * dayMs),
    signingAlgorithm: algorithm,
    publicKey: keys.publicKey,
    signingKey: authority?.keys.privateKey ?? keys.privateKey,
    extensions: [
      new x509.SubjectAlternativeNameExtension(
        hosts.map((value) => ({ type: isIP(value) === 0 ? 'dns' : 'ip', value })),
      ),
      new x509.BasicConstraintsExtension(hosts.includes('authority'), undefined, true),
    ],
  });
  const key = x509.PemConverter.encode(
    await webcrypto.subtle.exportKey('pkcs8', keys.privateKey),
    'PRIVATE KEY',
  );
  return { cert: certificate.toString('pem'), key, certificate, keys };
}
