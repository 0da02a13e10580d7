import { createHash, createHmac, timingSafeEqual } from 'node:crypto';

/** The allowed difference of an event's timestamp from now, before or after, in seconds. The bound itself is allowed. */
export const maxApartSeconds = 300;

/** An event as it arrived. */
export interface IncomingEvent {
  /** Names in any case. A repeated name appears repeatedly. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** Exactly the received bytes. The signature does not cover the result of a JSON parser. */
  readonly body: Uint8Array;
}

/** The keys and the time for the verification of an event. */
export interface Trust {
  /** The keys that may have signed the event: one, or several during a rotation. */
  readonly keys: readonly Uint8Array[];
  /** The time by the receiver's clock, Unix milliseconds. */
  readonly nowMs: number;
}

/**
 * - `missing`, `repeated`: a header is absent or empty, or appears more than once
 * - `bad_id`, `bad_timestamp`: a header is not valid for a signed event
 * - `bad_signature`: no signature of a known version was made with one of the keys
 * - `too_old`, `too_new`: a valid signature, but not for now: a replay
 * - `no_clock`: the receiver's own time is not a number, so no event can be distinguished from a replay
 */
export type Refusal =
  | 'missing'
  | 'repeated'
  | 'bad_id'
  | 'bad_timestamp'
  | 'bad_signature'
  | 'too_old'
  | 'too_new'
  | 'no_clock';

export type Verdict =
  | { readonly ok: true; readonly id: string; readonly timestamp: number }
  | {
      readonly ok: false;
      readonly refusal: Refusal;
      /** The invalid header; null if the time is invalid. */
      readonly header: string | null;
      /** One sentence, fit for the answer. */
      readonly message: string;
    };

/** The scheme's headers (Standard Webhooks), and the one of the specification: all of them are needed. */
const idHeader = 'webhook-id';
const timestampHeader = 'webhook-timestamp';
const signatureHeader = 'webhook-signature';
/**
 * The timestamp again, under the name in the specification ("Events"). The signature does not cover it, so it must equal the
 * signed one.
 */
const serviceTimestampHeader = 'x-service-timestamp';

/** Visible ASCII without a dot. With a dot, another id and timestamp could have the same signature. */
const idForm = /^[\x21-\x2d\x2f-\x7e]{1,256}$/;
/** Only plain digits. Number parsers accept forms that no sender writes. */
const timestampForm = /^(?:0|[1-9][0-9]{0,11})$/;
const maxSignatures = 32;

/** Verifies that the holder of one of the keys sent an event, and signed it just now. `SeenIds` detects duplicates. */
export function verifyEvent({ headers, body }: IncomingEvent, { keys, nowMs }: Trust): Verdict {
  const read: string[] = [];
  for (const name of [idHeader, timestampHeader, signatureHeader, serviceTimestampHeader]) {
    const [value = '', ...more] = valuesOf(headers, name);
    if (more.length > 0) return refused('repeated', name, `The header ${name} is there more than once.`);
    if (value === '') return refused('missing', name, `The header ${name} is missing.`);
    read.push(value);
  }
  const [id = '', timestamp = '', signatures = '', serviceTimestamp = ''] = read;
  if (!idForm.test(id))
    return refused('bad_id', idHeader, `The header ${idHeader} is no id: visible ASCII without a dot.`);
  for (const [name, value] of [
    [timestampHeader, timestamp],
    [serviceTimestampHeader, serviceTimestamp],
  ] as const) {
    if (timestampForm.test(value)) continue;
    const message = `The header ${name} is no whole number of seconds in plain digits.`;
    return refused('bad_timestamp', name, message);
  }
  if (!isSigned(`${id}.${timestamp}.`, body, signatures, keys))
    return refused('bad_signature', signatureHeader, 'The event has no signature that is known here.');
  const late = outOfTime(timestamp, nowMs) ?? outOfTime(serviceTimestamp, nowMs);
  if (late !== null) return late;
  if (serviceTimestamp !== timestamp) {
    const message = `The headers ${serviceTimestampHeader} and ${timestampHeader} do not say the same.`;
    return refused('bad_timestamp', serviceTimestampHeader, message);
  }
  return { ok: true, id, timestamp: Number(timestamp) };
}

/**
 * Timestamps are whole seconds, so ages are, too: during its 300th second, an event is still recent. An age that is not a
 * number is rejected, because it compares as neither old nor new.
 */
function outOfTime(timestamp: string, nowMs: number): Verdict | null {
  const ageSeconds = Math.floor(nowMs / 1000) - Number(timestamp);
  const bound = `${maxApartSeconds} seconds`;
  if (!Number.isSafeInteger(ageSeconds))
    return refused('no_clock', null, 'The time here is not known, so the event may be a replay.');
  if (ageSeconds > maxApartSeconds)
    return refused('too_old', null, `The event is older than ${bound}: it is a replay.`);
  if (ageSeconds < -maxApartSeconds)
    return refused('too_new', null, `The event is more than ${bound} ahead of the time here.`);
  return null;
}

function isSigned(head: string, body: Uint8Array, signatures: string, keys: readonly Uint8Array[]): boolean {
  const candidates = signatures.split(' ', maxSignatures).map(digestOf);
  // Every signature is compared with every key, regardless of earlier results, so the duration reveals nothing.
  let found = false;
  for (const key of keys) {
    const mac = createHmac('sha256', key).update(head).update(body).digest('base64');
    const expected = digestOf(`v1,${mac}`);
    for (const candidate of candidates) found = timingSafeEqual(candidate, expected) || found;
  }
  return found;
}

/**
 * Hashes texts of any length for a constant-time comparison. It compares texts, not decoded bytes, because base64 is not
 * unique.
 */
function digestOf(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

function valuesOf(headers: IncomingEvent['headers'], name: string): string[] {
  return headers.filter(([key]) => key.toLowerCase() === name).map(([, value]) => value);
}

function refused(refusal: Refusal, header: string | null, message: string): Verdict {
  return { ok: false, refusal, header, message };
}
