import { createHmac, randomBytes } from 'node:crypto';

const prefix = 'whsec_';
const secretBytes = 32;
/** So many of its last characters tell a secret from others and give nothing of it away. */
const hintLength = 4;

export function newSecret(): string {
  return prefix + randomBytes(secretBytes).toString('base64');
}

/** By what a secret is recognised. */
export function hintOf(secret: string): string {
  return secret.slice(-hintLength);
}

/**
 * What says of a body that it is an event of ours and when it was sent: by the Standard Webhooks scheme, signed with each of
 * the secrets (reading B-111), and the time once more by the name that the specification has for it.
 */
export function signedHeaders(
  eventId: string,
  sentAtMs: number,
  body: string,
  secrets: readonly string[],
): Readonly<Record<string, string>> {
  const timestamp = String(Math.floor(sentAtMs / 1000));
  const signed = `${eventId}.${timestamp}.${body}`;
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.slice(prefix.length), 'base64');
    return `v1,${createHmac('sha256', key).update(signed).digest('base64')}`;
  });
  return {
    'webhook-id': eventId,
    'webhook-timestamp': timestamp,
    'webhook-signature': signatures.join(' '),
    'x-service-timestamp': timestamp,
  };
}
