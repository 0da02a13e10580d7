import { createHmac } from 'node:crypto';
import { secretBytes, signatureOf } from '../oracle/webhooks/sign.ts';
import type { EventClaims, ProxyRequest } from './mutation.ts';
import { headerOf, withHeader } from './proxy-headers.ts';

/** The headers with an event's sending time: the header of the signature scheme, and the service's own. */
const timestampHeaders = ['webhook-timestamp', 'x-service-timestamp'] as const;

/**
 * Signs an event with these claims as the reference does (reading B-111), so that a mutant can sign its
 * changes.
 */
export function signedEvent(event: ProxyRequest, secret: string, claims: EventClaims): ProxyRequest {
  const id = claims.id ?? headerOf(event.headers, 'webhook-id');
  const timestamp = String(claims.seconds ?? headerOf(event.headers, 'webhook-timestamp'));
  const set: [string, string][] = [
    ['webhook-id', id],
    ...timestampHeaders.map((name): [string, string] => [name, timestamp]),
    ['webhook-signature', signatureOf(secret, { id, timestamp, body: event.body })],
  ];
  const headers = set.reduce((list, [name, value]) => withHeader(list, name, value), [...event.headers]);
  return { ...event, headers };
}

/** Signs an event over another text than the scheme prescribes. */
export function signedText(event: ProxyRequest, secret: string, text: Buffer): ProxyRequest {
  const mac = createHmac('sha256', secretBytes(secret)).update(text).digest('base64');
  return { ...event, headers: withHeader(event.headers, 'webhook-signature', `v1,${mac}`) };
}
