import { isIP } from 'node:net';

/** A key and its certificate, in PEM. */
export interface KeyPair {
  readonly key: string;
  readonly cert: string;
}

/** A certificate authority for the suites' own receiver. Deployments that must trust it get its certificate. */
export interface Authority extends KeyPair {
  /** A new key with a certificate for these names and addresses. */
  issue(hosts: readonly string[]): Promise<KeyPair>;
}

const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' } as const;
const dayMs = 24 * 60 * 60 * 1000;
const name = 'CN=Gatecheck webhook receiver';

/** Creates an authority that is valid for one year from `nowMs`. */
export async function makeAuthority(nowMs: number): Promise<Authority> {
  const x509 = await loadX509();
  const keys = await crypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);
  const certificate = await x509.X509CertificateGenerator.createSelfSigned({
    serialNumber: serial(),
    name,
    ...validity(nowMs),
    signingAlgorithm: algorithm,
    keys,
    extensions: [
      new x509.BasicConstraintsExtension(true, 0, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.keyCertSign, true),
      await x509.SubjectKeyIdentifierExtension.create(keys.publicKey),
    ],
  });
  return authorityOf(certificate.toString('pem'), await pemOf(keys.privateKey), keys.privateKey, nowMs);
}

/**
 * Loads the authority of an earlier run.
 * @throws Error when the texts are not a key with its certificate, or the certificate expires within a day.
 */
export async function readAuthority({ key, cert }: KeyPair, nowMs: number): Promise<Authority> {
  const { X509Certificate } = await loadX509();
  const { notAfter } = new X509Certificate(cert);
  if (notAfter.getTime() < nowMs + dayMs) throw new Error(`it ends on ${notAfter.toISOString()}`);
  const bytes = Buffer.from(key.replaceAll(/-----[^-]+-----|\s/g, ''), 'base64');
  const privateKey = await crypto.subtle.importKey('pkcs8', bytes, algorithm, false, ['sign']);
  return authorityOf(cert, key, privateKey, nowMs);
}

function authorityOf(cert: string, key: string, signingKey: CryptoKey, nowMs: number): Authority {
  return { cert, key, issue: (hosts) => issue(cert, signingKey, hosts, nowMs) };
}

async function issue(
  caCert: string,
  signingKey: CryptoKey,
  hosts: readonly string[],
  nowMs: number,
): Promise<KeyPair> {
  const x509 = await loadX509();
  const ca = new x509.X509Certificate(caCert);
  const keys = await crypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);
  const names = hosts.map((value) => ({
    type: isIP(value) === 0 ? ('dns' as const) : ('ip' as const),
    value,
  }));
  const certificate = await x509.X509CertificateGenerator.create({
    serialNumber: serial(),
    subject: `CN=${hosts[0] ?? 'localhost'}`,
    issuer: ca.subject,
    ...validity(nowMs),
    signingAlgorithm: algorithm,
    publicKey: keys.publicKey,
    signingKey,
    extensions: [
      new x509.BasicConstraintsExtension(false, undefined, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.digitalSignature, true),
      new x509.ExtendedKeyUsageExtension([x509.ExtendedKeyUsage.serverAuth]),
      new x509.SubjectAlternativeNameExtension(names),
      await x509.AuthorityKeyIdentifierExtension.create(ca.publicKey),
    ],
  });
  return { key: await pemOf(keys.privateKey), cert: certificate.toString('pem') };
}

/** Loads the module on demand, because it is slow to load and needs reflect-metadata first. */
async function loadX509(): Promise<typeof import('@peculiar/x509')> {
  await import('reflect-metadata');
  return import('@peculiar/x509');
}

/** Valid from one day earlier, for machines with different clocks. */
function validity(nowMs: number): { notBefore: Date; notAfter: Date } {
  return { notBefore: new Date(nowMs - dayMs), notAfter: new Date(nowMs + 365 * dayMs) };
}

/** An authority must not use a serial number twice. */
function serial(): string {
  return `01${Buffer.from(crypto.getRandomValues(new Uint8Array(15))).toString('hex')}`;
}

async function pemOf(key: CryptoKey): Promise<string> {
  const base64 = Buffer.from(await crypto.subtle.exportKey('pkcs8', key)).toString('base64');
  const lines = base64.match(/.{1,64}/g) ?? [];
  return `-----BEGIN PRIVATE KEY-----\n${lines.join('\n')}\n-----END PRIVATE KEY-----\n`;
}
