import { addressOf } from './chat-completions.ts';
import type { MediaPart } from './view.ts';

type Medium = Pick<MediaPart, 'mime' | 'base64' | 'url'>;

/** Whether a medium arrived as it was sent: the same address, or the same bytes under the same media type. */
export function sameMedium(sent: Medium, seen: Medium): boolean {
  if (sent.base64 === null) return seen.base64 === null && seen.url === sent.url;
  return (
    seen.base64 !== null &&
    bytesOf(sent.base64).equals(bytesOf(seen.base64)) &&
    (seen.mime ?? '').toLowerCase() === (sent.mime ?? '').toLowerCase()
  );
}

/** The same for what a caller writes: an http(s) address or a data URI. */
export function isMedium(address: string, seen: Medium): boolean {
  return sameMedium(addressOf(address), seen);
}

function bytesOf(base64: string): Buffer {
  return Buffer.from(base64, 'base64');
}
