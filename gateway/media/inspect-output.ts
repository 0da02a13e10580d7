import { isUtf8 } from 'node:buffer';
import type { MediaExtension } from './content-type.ts';
import { inspectMp3, isMp3 } from './inspect-mp3.ts';
import { inspectMp4, isMp4, type Recording } from './inspect-mp4.ts';
import { inspectPicture, isJpeg, isPng, isWebp } from './inspect-picture.ts';
import { inspectWav, isWav } from './inspect-wav.ts';
import type { MediaSource } from './media-source.ts';

/** What a job can be wanted to make. */
export const wanted = ['image', 'video', 'audio', 'text'] as const;
export type Wanted = (typeof wanted)[number];

/** As many bytes as tell what a file is, or all of a shorter one. */
export const headBytes = 64;

/** What is wanted may be this, by its first bytes. */
const forms: Readonly<
  Record<Exclude<Wanted, 'text'>, readonly [MediaExtension, (head: Buffer) => boolean][]>
> = {
  image: [
    ['png', isPng],
    ['jpg', isJpeg],
    ['webp', isWebp],
  ],
  video: [['mp4', isMp4]],
  audio: [
    ['mp3', isMp3],
    ['wav', isWav],
  ],
};

/** What kind of the wanted a file is that begins so, whatever its name or label say; null for none. */
export function extensionOf(head: Buffer, want: Wanted): MediaExtension | null {
  if (want !== 'text') return forms[want].find(([, begins]) => begins(head))?.[0] ?? null;
  const text = head.toString('utf8').trimStart();
  // A page with an error on it is no text that anybody asked for.
  if (text === '' || text.includes('\0') || /^<(?:!doctype|html|\?xml|head|body)/i.test(text)) return null;
  return text.startsWith('[') ? 'lrc' : 'txt';
}

/** Pictures, sound of many minutes and texts are read as a whole, up to so much. */
const maxReadBytes = 128 * 1024 * 1024;

/** What a file says of itself, when all of it is there; null otherwise. */
export async function inspectOutput(
  source: MediaSource,
  extension: MediaExtension,
): Promise<Recording | null> {
  if (extension === 'mp4') return inspectMp4(source);
  if (extension === 'wav') return inspectWav(source);
  if (source.bytes > maxReadBytes) return null;
  const bytes = await source.read(0, source.bytes);
  if (extension === 'mp3') return inspectMp3(bytes);
  const isWhole = extension === 'lrc' || extension === 'txt' ? isUtf8(bytes) : inspectPicture(bytes) !== null;
  return isWhole ? { seconds: null } : null;
}
