import { isJpeg, jpegSize } from './media/jpeg.ts';
import { mp3Seconds } from './media/mp3.ts';
import { isMp4, mp4Brand, mp4Seconds } from './media/mp4.ts';
import { isPng, pngSize } from './media/png.ts';
import { riffForm, wavSeconds, webpSize } from './media/riff.ts';

/** The media type, determined only by the bytes; declared types do not count. */
export type Sniffed =
  | {
      readonly kind: 'image';
      readonly format: 'png' | 'jpeg' | 'webp';
      readonly width: number;
      readonly height: number;
    }
  /** `seconds` is null for formats that are recognised but not parsed. */
  | { readonly kind: 'video'; readonly format: 'mp4' | 'webm'; readonly seconds: number | null }
  | {
      readonly kind: 'audio';
      readonly format: 'mp3' | 'wav' | 'm4a' | 'ogg' | 'flac';
      readonly seconds: number | null;
    }
  | { readonly kind: 'text'; readonly format: 'lrc' | 'text' }
  /** None of these formats, or broken; `actual` is for a message. */
  | { readonly kind: 'none'; readonly actual: string };

const beginsWith = (bytes: Buffer, text: string): boolean =>
  bytes.toString('latin1', 0, text.length) === text;

/** A line of lyrics with its time. */
const lrcLine = /^\[\d{1,3}:\d{2}(?:[.:]\d{1,3})?\]/m;

/**
 * Identifies complete bytes: an image with its size in pixels, audio and video with their length. A truncated
 * file is not recognised.
 */
export function sniff(bytes: Buffer): Sniffed {
  if (bytes.length === 0) return none('no bytes');
  if (isPng(bytes)) return image('png', pngSize(bytes));
  if (isJpeg(bytes)) return image('jpeg', jpegSize(bytes));
  const form = riffForm(bytes);
  if (form === 'WEBP') return image('webp', webpSize(bytes));
  if (form === 'WAVE') return timed('audio', 'wav', wavSeconds(bytes));
  if (isMp4(bytes))
    return mp4Brand(bytes).startsWith('M4A')
      ? timed('audio', 'm4a', mp4Seconds(bytes))
      : timed('video', 'mp4', mp4Seconds(bytes));
  if (beginsWith(bytes, '\x1a\x45\xdf\xa3')) return { kind: 'video', format: 'webm', seconds: null };
  if (beginsWith(bytes, 'OggS')) return { kind: 'audio', format: 'ogg', seconds: null };
  if (beginsWith(bytes, 'fLaC')) return { kind: 'audio', format: 'flac', seconds: null };
  if (beginsWith(bytes, 'ID3') || (bytes[0] === 0xff && ((bytes[1] ?? 0) & 0xe0) === 0xe0))
    return timed('audio', 'mp3', mp3Seconds(bytes));
  return textIn(bytes);
}

/** The same for a message: `png of 512x512`, `mp4 of 8 s`. */
export function describeMedia(sniffed: Sniffed): string {
  switch (sniffed.kind) {
    case 'image':
      return `${sniffed.format} of ${sniffed.width}x${sniffed.height}`;
    case 'video':
    case 'audio':
      return sniffed.seconds === null
        ? sniffed.format
        : `${sniffed.format} of ${Math.round(sniffed.seconds * 10) / 10} s`;
    case 'text':
      return sniffed.format === 'lrc' ? 'timed text' : 'text';
    case 'none':
      return sniffed.actual;
  }
}

function image(format: 'png' | 'jpeg' | 'webp', size: readonly [number, number] | null): Sniffed {
  if (size === null || size[0] < 1 || size[1] < 1) return none(`a broken ${format}`);
  return { kind: 'image', format, width: size[0], height: size[1] };
}

function timed(kind: 'video', format: 'mp4', seconds: number | null): Sniffed;
function timed(kind: 'audio', format: 'mp3' | 'wav' | 'm4a', seconds: number | null): Sniffed;
function timed(
  kind: 'video' | 'audio',
  format: 'mp4' | 'mp3' | 'wav' | 'm4a',
  seconds: number | null,
): Sniffed {
  return seconds === null ? none(`a broken ${format}`) : ({ kind, format, seconds } as Sniffed);
}

function textIn(bytes: Buffer): Sniffed {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    const start = text.trimStart().slice(0, 15).toLowerCase();
    if (start.startsWith('<!doctype html') || start.startsWith('<html')) return none('HTML');
    if (lrcLine.test(text)) return { kind: 'text', format: 'lrc' };
    // Binary data mostly contains zero bytes.
    if (!text.includes('\0')) return { kind: 'text', format: 'text' };
  } catch {
    // Bytes of an unknown format.
  }
  return none(`bytes that begin with ${bytes.subarray(0, 8).toString('hex')}`);
}

function none(actual: string): Sniffed {
  return { kind: 'none', actual };
}
