import type { Redaction } from './redaction.ts';

/** Longer than any key, which must not be shown because a cut has halved it, bytes. */
const longestKey = 4_096;

/** So many bytes of a body at most, in base64, without the keys in it. */
export function shownBody(parts: readonly Buffer[], most: number, redaction: Redaction): string {
  const head: Buffer[] = [];
  for (let length = 0, at = 0; at < parts.length && length < most + longestKey; at += 1) {
    const part = parts[at] ?? Buffer.alloc(0);
    head.push(part);
    length += part.length;
  }
  const bytes = Buffer.concat(head).subarray(0, most + longestKey);
  return redaction.bytes(bytes).subarray(0, most).toString('base64');
}
