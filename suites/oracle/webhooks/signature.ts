import { createHash, timingSafeEqual } from 'node:crypto';
import { type SignedContent, signatureOf } from './sign.ts';

/** An event as it reached a receiver. Header names may have any case. */
export interface ReceivedEvent {
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: Uint8Array;
}

/**
 * - `missing`: one of the three headers is absent or empty
 * - `repeated`: one of them occurs twice, so two receivers may read two different events
 * - `id`: the id contains a character that makes the border of id and timestamp ambiguous
 * - `timestamp`: it is not a whole number of seconds in plain digits
 * - `version`: there is no signature of the version `v1`
 * - `mismatch`: there is one, but by none of the secrets
 */
export type SignatureFault = 'missing' | 'repeated' | 'id' | 'timestamp' | 'version' | 'mismatch';

/** The verdict on the signature of an event. */
export type SignatureVerdict =
  | {
      readonly ok: true;
      /** The secret that signed it, by its index in the list. */
      readonly secret: number;
      readonly id: string;
      /** Unix seconds. */
      readonly timestamp: number;
    }
  | {
      readonly ok: false;
      readonly fault: SignatureFault;
      /** One sentence for a report. It never contains a secret or the correct signature. */
      readonly detail: string;
    };

/** The headers of the scheme (reading B-111). */
export const signedHeaders = ['webhook-id', 'webhook-timestamp', 'webhook-signature'] as const;

/** Judges the signature of an event by the valid secrets. The age of the event is judged elsewhere. */
export function verifySignature(event: ReceivedEvent, secrets: readonly string[]): SignatureVerdict {
  const read = signedHeaders.map((name) => valuesOf(event, name));
  for (const [at, name] of signedHeaders.entries()) {
    const values = read[at] ?? [];
    if (values.length > 1) return refused('repeated', `${name} occurs ${values.length} times`);
    if ((values[0] ?? '') === '')
      return refused('missing', `${name} is ${values.length === 0 ? 'not there' : 'empty'}`);
  }
  const [id = '', timestamp = '', signature = ''] = read.map(([value = '']) => value);
  if (!/^[\x21-\x2d\x2f-\x7e]+$/.test(id))
    return refused('id', 'webhook-id has a dot, a space or a character outside printable ASCII');
  const seconds = wholeSeconds(timestamp);
  if (seconds === null) return refused('timestamp', `webhook-timestamp is ${JSON.stringify(timestamp)}`);
  const mine = signature.split(' ').filter((one) => one.startsWith('v1,'));
  if (mine.length === 0) return refused('version', 'webhook-signature has no signature of version v1');
  const secret = signerOf({ id, timestamp, body: event.body }, mine, secrets);
  if (secret === null)
    return refused('mismatch', `none of ${mine.length} v1 signature(s) fits id, timestamp and body`);
  return { ok: true, secret, id, timestamp: seconds };
}

/**
 * A whole number of seconds since 1970 in plain digits; null for any other notation, or with anything around
 * it.
 */
export function wholeSeconds(text: string): number | null {
  return /^(0|[1-9]\d{0,11})$/.test(text) ? Number(text) : null;
}

/** The index of the first secret that made one of the signatures, or null. */
function signerOf(
  content: SignedContent,
  signatures: readonly string[],
  secrets: readonly string[],
): number | null {
  const found = secrets.findIndex((secret) => {
    const expected = signatureOf(secret, content);
    return signatures.some((one) => isSame(one, expected));
  });
  return found < 0 ? null : found;
}

/** Compares texts instead of decoded bytes, because several base64 texts decode to the same bytes. */
function isSame(a: string, b: string): boolean {
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(a), digest(b));
}

function valuesOf(event: ReceivedEvent, name: string): string[] {
  return event.headers.filter(([key]) => key.toLowerCase() === name).map(([, value]) => value);
}

function refused(fault: SignatureFault, detail: string): SignatureVerdict {
  return { ok: false, fault, detail };
}
