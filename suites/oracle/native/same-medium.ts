import { addressOf } from './chat-completions.ts';
import type { MediaPart } from './view.ts';

type Medium = Pick<MediaPart, 'mime' | 'base64' | 'url'> & Partial<Pick<MediaPart, 'block'>>;

/** Whether a medium arrived unchanged: the same URL, or the same bytes with the same media type. */
export function sameMedium(sent: Medium, seen: Medium): boolean {
  if (sent.base64 === null) return seen.base64 === null && seen.url === sent.url && !contradicts(seen);
  return (
    seen.base64 !== null &&
    bytesOf(sent.base64).equals(bytesOf(seen.base64)) &&
    (seen.mime ?? '').toLowerCase() === (sent.mime ?? '').toLowerCase() &&
    !isMisplaced(seen)
  );
}

/** An image called a document, or something else called an image. */
function isMisplaced({ block, mime }: Medium): boolean {
  const isImage = (mime ?? '').toLowerCase().startsWith('image/');
  return (block === 'document' && isImage) || (block === 'image' && !isImage);
}

/** The same for the caller's notation: an http(s) URL or a data URI. */
export function isMedium(address: string, seen: Medium): boolean {
  return sameMedium(addressOf(address), seen);
}

function bytesOf(base64: string): Buffer {
  return Buffer.from(base64, 'base64');
}

/** The kinds of media by the end of a URL. A URL without a known ending may be declared as any kind. */
const kinds: readonly (readonly [end: RegExp, kind: string])[] = [
  [/\.(?:png|jpe?g|webp|gif)$/i, 'image/'],
  [/\.(?:mp4|webm)$/i, 'video/'],
  [/\.(?:mp3|wav|flac)$/i, 'audio/'],
  [/\.pdf$/i, 'application/pdf'],
];

/** Whether the declared media type contradicts the kind that the URL's ending shows. */
function contradicts({ mime, url, block }: Medium): boolean {
  const path = URL.parse(url ?? '')?.pathname ?? '';
  const kind = kinds.find(([end]) => end.test(path))?.[1];
  if (kind === undefined) return false;
  const declared = kinds.find(([, start]) => (mime ?? '').toLowerCase().startsWith(start))?.[1];
  return (declared !== undefined && declared !== kind) || (block === 'image' && kind !== 'image/');
}
