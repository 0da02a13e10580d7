import { createHmac } from 'node:crypto';

/** What a signature covers: the id and the timestamp as in their headers, and the bytes of the body. */
export interface SignedContent {
  readonly id: string;
  /** The header text. It may be no number, because forged events are signed too. */
  readonly timestamp: string;
  readonly body: Uint8Array;
}

/** The prefix of every secret of the scheme, before base64 of its bytes. */
const prefix = 'whsec_';

/** Whether a text can be a secret of the Standard Webhooks scheme (reading B-111): base64, with or without its prefix. */
export function isWebhookSecret(text: string): boolean {
  const encoded = encodedPart(text);
  return encoded.length >= 4 && encoded.length % 4 === 0 && /^[A-Za-z0-9+/]+={0,2}$/.test(encoded);
}

/** The key that a secret encodes. Throws for a text that is not a secret, without showing it. */
export function secretBytes(secret: string): Buffer {
  if (!isWebhookSecret(secret)) throw new TypeError('a webhook secret must be whsec_ followed by base64');
  return Buffer.from(encodedPart(secret), 'base64');
}

/**
 * One signature in the form of the header: version, comma, base64 of HMAC-SHA256 over
 * `<id>.<timestamp>.<body>`.
 */
export function signatureOf(secret: string, content: SignedContent): string {
  const mac = createHmac('sha256', secretBytes(secret));
  mac.update(`${content.id}.${content.timestamp}.`).update(content.body);
  return `v1,${mac.digest('base64')}`;
}

/** The headers of an event that is signed with each of the secrets, in their order. */
export function eventHeaders(secrets: readonly string[], content: SignedContent): [string, string][] {
  return [
    ['content-type', 'application/json'],
    ['webhook-id', content.id],
    ['webhook-timestamp', content.timestamp],
    ['x-service-timestamp', content.timestamp],
    ['webhook-signature', secrets.map((secret) => signatureOf(secret, content)).join(' ')],
  ];
}

function encodedPart(text: string): string {
  return text.startsWith(prefix) ? text.slice(prefix.length) : text;
}
