import { createHmac, timingSafeEqual } from 'node:crypto';

// How upstreams of this dialect tell of a job: signed with the key that started it, and stamped with the time of the try.

/** The head of a callback that has the shape of a signed one. Whether it is one is not known yet. */
export interface CallbackSignature {
  /** The same on every try at telling the same. */
  readonly id: string;
  /** When it was sent, in whole Unix seconds, as sent. */
  readonly timestamp: string;
  /** In hexadecimal digits. */
  readonly signature: string;
}

/** Callbacks that are older are taken for repeated ones; those from so far ahead are none that anybody sent by a good clock. */
const maxAgeS = 300;

type Header = (name: string) => string | undefined;

/** The seal in the headers of a request; null where it is missing, or not written in the one way that there is. */
export function signatureIn(header: Header): CallbackSignature | null {
  const id = header('callback-id') ?? '';
  const timestamp = header('callback-timestamp') ?? '';
  const [, signature] = /^v1=([0-9a-f]{64})$/.exec(header('callback-signature') ?? '') ?? [];
  const isWhole = /^[A-Za-z0-9_-]{1,200}$/.test(id) && /^(?:0|[1-9]\d{0,11})$/.test(timestamp);
  return isWhole && signature !== undefined ? { id, timestamp, signature } : null;
}

/** Whether a seal was made with the key for this body; compared in constant time. */
export function isSignedWith(
  { id, timestamp, signature }: CallbackSignature,
  apiKey: string,
  body: Buffer,
): boolean {
  const wanted = createHmac('sha256', apiKey).update(`${id}.${timestamp}.`).update(body).digest();
  return timingSafeEqual(wanted, Buffer.from(signature, 'hex'));
}

/** Whether it was sent a short while ago. Only what is signed counts: ask `isSignedWith` first. */
export function isFresh({ timestamp }: CallbackSignature, nowMs: number): boolean {
  return Math.abs(Math.floor(nowMs / 1000) - Number(timestamp)) <= maxAgeS;
}
