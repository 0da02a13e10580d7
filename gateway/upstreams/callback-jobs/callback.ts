import { createHmac, timingSafeEqual } from 'node:crypto';

// How upstreams of this dialect report on a job: signed with the key that started it, with the time of the
// attempt.

/** The parts of a callback's signature headers, well-formed but not yet verified. */
export interface CallbackSignature {
  /** The same on every attempt to deliver the same report. */
  readonly id: string;
  /** When it was sent, in whole Unix seconds, as sent. */
  readonly timestamp: string;
  /** In hexadecimal digits. */
  readonly signature: string;
}

/** Older callbacks are treated as replayed; the same limit applies to timestamps in the future. */
const maxAgeS = 300;

type Header = (name: string) => string | undefined;

/** The signature in the headers of a request; null when it is missing or malformed. */
export function signatureIn(header: Header): CallbackSignature | null {
  const id = header('callback-id') ?? '';
  const timestamp = header('callback-timestamp') ?? '';
  const [, signature] = /^v1=([0-9a-f]{64})$/.exec(header('callback-signature') ?? '') ?? [];
  const isWhole = /^[A-Za-z0-9_-]{1,200}$/.test(id) && /^(?:0|[1-9]\d{0,11})$/.test(timestamp);
  return isWhole && signature !== undefined ? { id, timestamp, signature } : null;
}

/** Whether a signature was made with the key for this body; compared in constant time. */
export function isSignedWith(
  { id, timestamp, signature }: CallbackSignature,
  apiKey: string,
  body: Buffer,
): boolean {
  const wanted = createHmac('sha256', apiKey).update(`${id}.${timestamp}.`).update(body).digest();
  return timingSafeEqual(wanted, Buffer.from(signature, 'hex'));
}

/** Whether it was sent recently. The timestamp counts only if signed: check `isSignedWith` first. */
export function isFresh({ timestamp }: CallbackSignature, nowMs: number): boolean {
  return Math.abs(Math.floor(nowMs / 1000) - Number(timestamp)) <= maxAgeS;
}
