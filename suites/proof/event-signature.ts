import { createHmac } from 'node:crypto';
import type { EventClaims, ProxyRequest } from '../mutation/mutation.ts';
import { headerOf, withHeader } from '../mutation/proxy-headers.ts';
import { secretBytes, signatureOf } from '../oracle/webhooks/sign.ts';

/** The headers with an event's sending time: that of the signature scheme, and that of the service. */
const timestampHeaders = ['webhook-timestamp', 'x-service-timestamp'] as const;

/** An event with these claims, signed as the reference does (reading B-111): what a mutant changes it may sign again. */
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

/** An event with a signature over another text than the scheme has. */
export function signedText(event: ProxyRequest, secret: string, text: Buffer): ProxyRequest {
  const mac = createHmac('sha256', secretBytes(secret)).update(text).digest('base64');
  return { ...event, headers: withHeader(event.headers, 'webhook-signature', `v1,${mac}`) };
}
