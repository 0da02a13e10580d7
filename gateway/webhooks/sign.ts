import { createHmac, randomBytes } from 'node:crypto';

const prefix = 'whsec_';
const secretBytes = 32;
/** Number of last characters that identify a secret and reveal nothing useful. */
const hintLength = 4;

export function newSecret(): string {
  return prefix + randomBytes(secretBytes).toString('base64');
}

/** The last characters, by which people recognise a secret. */
export function hintOf(secret: string): string {
  return secret.slice(-hintLength);
}

/**
 * The headers that prove that a body is the gateway's event, and when it was sent. They follow the Standard Webhooks scheme,
 * with one signature for each secret (reading B-111). The time is repeated under the name in the specification.
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
