import { isUtf8 } from 'node:buffer';
import type { MediaExtension } from './content-type.ts';
import { inspectMp3, isMp3 } from './inspect-mp3.ts';
import { inspectMp4, isMp4, type Recording } from './inspect-mp4.ts';
import { inspectPicture, isJpeg, isPng, isWebp } from './inspect-picture.ts';
import type { MediaSource } from './media-source.ts';

/** By the first bytes alone. */
function isWav(head: Buffer): boolean {
  return head.toString('latin1', 0, 4) === 'RIFF' && head.toString('latin1', 8, 12) === 'WAVE';
}

const maxChunks = 1000;
/** Sizes from here on, and 0, stand for a length that was unknown when the header was written. */
const unsizedBytes = 2_000_000_000;
/** What may follow an empty recording. */
const otherChunks: readonly string[] = ['LIST', 'id3 ', 'ID3 ', 'JUNK', 'bext', 'fact', 'cue '];

/** Inspects a file whose samples are all present; null for a truncated file. */
async function inspectWav(source: MediaSource): Promise<Recording | null> {
  let bytesPerSecond = 0;
  let at = 12;
  for (let chunks = 0; chunks < maxChunks; chunks += 1) {
    const head = await source.read(at, 20);
    if (head.length < 8) return null;
    const type = head.toString('latin1', 0, 4);
    const length = head.readUInt32LE(4);
    const rest = source.bytes - at - 8;
    const isEmpty = length === 0 && otherChunks.includes(head.toString('latin1', 8, 12));
    const isUnsized = !isEmpty && (length === 0 || length >= unsizedBytes);
    if (type === 'data' && isUnsized)
      return bytesPerSecond > 0 && rest > 0 ? { seconds: rest / bytesPerSecond } : null;
    if (length > rest) return null;
    if (type === 'fmt ' && head.length >= 20) bytesPerSecond = head.readUInt32LE(16);
    if (type === 'data') return bytesPerSecond > 0 ? { seconds: length / bytesPerSecond } : null;
    // Chunks begin at even offsets.
    at += 8 + length + (length % 2);
  }
  return null;
}

/** Kinds of output that a job can have. */
export const wanted = ['image', 'video', 'audio', 'text'] as const;
export type Wanted = (typeof wanted)[number];

/** Enough bytes to recognise the type of a file; shorter files are read whole. */
export const headBytes = 64;

/** File types of each kind, recognised by the first bytes. */
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

/**
 * The type of a file from its first bytes, whatever its name or content type; null when it is not of the wanted
 * kind.
 */
export function extensionOf(head: Buffer, want: Wanted): MediaExtension | null {
  if (want !== 'text') return forms[want].find(([, begins]) => begins(head))?.[0] ?? null;
  const text = head.toString('utf8').trimStart();
  // An HTML or XML error page is not a text output.
  if (text === '' || text.includes('\0') || /^<(?:!doctype|html|\?xml|head|body)/i.test(text)) return null;
  return text.startsWith('[') ? 'lrc' : 'txt';
}

/** Whether a file is an image, a video or audio, but not of the wanted kind. */
export function isOtherMedium(head: Buffer, want: Wanted): boolean {
  return wanted.some((kind) => kind !== want && kind !== 'text' && extensionOf(head, kind) !== null);
}

/** Maximum size of images, audio (many minutes) and texts, which are read whole. */
const maxReadBytes = 128 * 1024 * 1024;

/** Properties that a complete file states about itself; null when it is not complete. */
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
