import { addressOf } from './chat-completions.ts';
import type { MediaPart } from './view.ts';

type Medium = Pick<MediaPart, 'mime' | 'base64' | 'url'> & Partial<Pick<MediaPart, 'block'>>;

/** Whether a medium arrived as it was sent: the same address, or the same bytes under the same media type. */
export function sameMedium(sent: Medium, seen: Medium): boolean {
  if (sent.base64 === null) return seen.base64 === null && seen.url === sent.url && !contradicts(seen);
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

/** What the end of an address says about the kind of medium; of one that says nothing anything may be said. */
const kinds: readonly (readonly [end: RegExp, kind: string])[] = [
  [/\.(?:png|jpe?g|webp|gif)$/i, 'image/'],
  [/\.(?:mp4|webm)$/i, 'video/'],
  [/\.(?:mp3|wav|flac)$/i, 'audio/'],
  [/\.pdf$/i, 'application/pdf'],
];

/** Whether it is said with an address that it leads to another kind of medium than the address itself tells. */
function contradicts({ mime, url, block }: Medium): boolean {
  const path = URL.parse(url ?? '')?.pathname ?? '';
  const kind = kinds.find(([end]) => end.test(path))?.[1];
  if (kind === undefined) return false;
  const told = kinds.find(([, start]) => (mime ?? '').toLowerCase().startsWith(start))?.[1];
  return (told !== undefined && told !== kind) || (block === 'image' && kind !== 'image/');
}
