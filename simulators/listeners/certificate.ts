/** A key and its certificate, in PEM. */
export interface Certificate {
  readonly key: string;
  readonly cert: string;
}

/** The flaw of a certificate. No authority has signed it in any case. */
export type CertificateFlaw = 'self-signed' | 'expired' | 'wrong-host';

// Stored, because loading the certificate library would take longer than the rest of the start. The key is public and
// protects nothing: a client that trusts one of these certificates has failed.

/** A P-256 key in PKCS #8, the same for all three certificates. */
const key = [
  'MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQga4zPETEtNGFnm6sQ9D80xX6EsPLoFjZYHOeAloYq',
  'CJihRANCAARLI77F/FrTbOxUiIJNghqh+04bOhAgZ9cUF3kksznAlk6O9E1rtiNgm0t2/1y+oVJ1RokD2jLEtI0J',
  '9Pisev7W',
].join('');

/** Each signed by its own key, and valid from 2020: the expired one to 2021, the others to 9999. */
const certificates: Readonly<Record<CertificateFlaw, string>> = {
  'self-signed': [
    'MIIBKjCB0qADAgECAgEBMAoGCCqGSM49BAMCMBQxEjAQBgNVBAMTCTEyNy4wLjAuMTAgFw0yMDAxMDEwMDAwMDBa',
    'GA85OTk5MTIzMTIzNTk1OVowFDESMBAGA1UEAxMJMTI3LjAuMC4xMFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE',
    'SyO+xfxa02zsVIiCTYIaoftOGzoQIGfXFBd5JLM5wJZOjvRNa7YjYJtLdv9cvqFSdUaJA9oyxLSNCfT4rHr+1qMT',
    'MBEwDwYDVR0RBAgwBocEfwAAATAKBggqhkjOPQQDAgNHADBEAiA9PC478CIBN29u5r3Q/Q/6PauIXgpN9ak/UCpL',
    '4/3OZAIgcdSwME4Jgv1SKsv6Wc8y7FXuvri8/sHqmhodcDFpe/E=',
  ].join(''),
  expired: [
    'MIIBKTCB0KADAgECAgEBMAoGCCqGSM49BAMCMBQxEjAQBgNVBAMTCTEyNy4wLjAuMTAeFw0yMDAxMDEwMDAwMDBa',
    'Fw0yMTAxMDEwMDAwMDBaMBQxEjAQBgNVBAMTCTEyNy4wLjAuMTBZMBMGByqGSM49AgEGCCqGSM49AwEHA0IABEsj',
    'vsX8WtNs7FSIgk2CGqH7Ths6ECBn1xQXeSSzOcCWTo70TWu2I2CbS3b/XL6hUnVGiQPaMsS0jQn0+Kx6/tajEzAR',
    'MA8GA1UdEQQIMAaHBH8AAAEwCgYIKoZIzj0EAwIDSAAwRQIgBfYG2UKDrtBqz8hMUJ8455Cl6+WJaZutjwZcLgmR',
    'RI4CIQDGECsm5Gn5IYb0eUn/RfOL9ldHpC0ww22eBZyy40FT9A==',
  ].join(''),
  'wrong-host': [
    'MIIBRDCB7KADAgECAgEBMAoGCCqGSM49BAMCMBsxGTAXBgNVBAMTEHVwc3RyZWFtLmV4YW1wbGUwIBcNMjAwMTAx',
    'MDAwMDAwWhgPOTk5OTEyMzEyMzU5NTlaMBsxGTAXBgNVBAMTEHVwc3RyZWFtLmV4YW1wbGUwWTATBgcqhkjOPQIB',
    'BggqhkjOPQMBBwNCAARLI77F/FrTbOxUiIJNghqh+04bOhAgZ9cUF3kksznAlk6O9E1rtiNgm0t2/1y+oVJ1RokD',
    '2jLEtI0J9Pisev7Wox8wHTAbBgNVHREEFDASghB1cHN0cmVhbS5leGFtcGxlMAoGCCqGSM49BAMCA0cAMEQCIB4h',
    '0IXyKT6ymzK99mxK6zgqOLJTKx7Xrn5hJBjSGWAnAiBZUJ81GXijvGxQXB2zWlx9o+2uiWvG2WF2uT2Fx7vbtw==',
  ].join(''),
};

/** A self-signed certificate for the loopback address, with the flaw. */
export function certificateWith(flaw: CertificateFlaw): Certificate {
  return { key: pem('PRIVATE KEY', key), cert: pem('CERTIFICATE', certificates[flaw]) };
}

function pem(label: string, base64: string): string {
  const lines = base64.match(/.{1,64}/g) ?? [];
  return [`-----BEGIN ${label}-----`, ...lines, `-----END ${label}-----`, ''].join('\n');
}
