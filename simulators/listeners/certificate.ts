/** A key and its certificate, in PEM. */
export interface Certificate {
  readonly key: string;
  readonly cert: string;
}

/** The flaw of a certificate. No authority has signed it in any case. */
export type CertificateFlaw = 'self-signed' | 'expired' | 'wrong-host';

const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
const dayMs = 24 * 60 * 60 * 1000;

/** Makes a self-signed certificate for the loopback address, with the flaw. */
export async function makeCertificate(flaw: CertificateFlaw): Promise<Certificate> {
  // Loaded only when broken listeners are opened. The certificate library needs reflect-metadata to be loaded
  // first.
  await import('reflect-metadata');
  const { SubjectAlternativeNameExtension, X509CertificateGenerator } = await import('@peculiar/x509');
  const keys = await crypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);
  const endsInMs = flaw === 'expired' ? -dayMs : 365 * dayMs;
  const host = flaw === 'wrong-host' ? 'upstream.example' : '127.0.0.1';
  const certificate = await X509CertificateGenerator.createSelfSigned({
    serialNumber: '01',
    name: `CN=${host}`,
    notBefore: fromNow(-30 * dayMs),
    notAfter: fromNow(endsInMs),
    signingAlgorithm: algorithm,
    keys,
    extensions: [
      new SubjectAlternativeNameExtension([{ type: flaw === 'wrong-host' ? 'dns' : 'ip', value: host }]),
    ],
  });
  const key = Buffer.from(await crypto.subtle.exportKey('pkcs8', keys.privateKey)).toString('base64');
  return {
    key: `-----BEGIN PRIVATE KEY-----\n${key}\n-----END PRIVATE KEY-----\n`,
    cert: certificate.toString('pem'),
  };
}

/** Certificates are validated by real time, whatever the simulators' clock says. */
function fromNow(ms: number): Date {
  return new Date(performance.timeOrigin + performance.now() + ms);
}
