import type { Recording } from './inspect-mp4.ts';

/** Kilobits per second by the index in a header, for layer III: version 1, and versions 2 and 2.5. */
const kbps1 = [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320] as const;
const kbps2 = [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160] as const;
const sampleRates = [44_100, 48_000, 32_000] as const;
/** Divisor of version 1's sample rate in hertz, by the version bits. */
const versions: Readonly<Record<number, number>> = { 3: 1, 2: 2, 0: 4 };

interface Frame {
  readonly bytes: number;
  readonly seconds: number;
}

/** Recognised by the first bytes: a tag or a frame. */
export function isMp3(head: Buffer): boolean {
  return head.toString('latin1', 0, 3) === 'ID3' || frameAt(head, 0) !== null;
}

/**
 * Reads frame by frame, ignoring anything after the last. Parts that were joined keep their tags. Null when there is no frame
 * or one is truncated.
 */
export function inspectMp3(bytes: Buffer): Recording | null {
  let seconds = 0;
  let at = afterTags(bytes, 0);
  for (let frame = frameAt(bytes, at); frame !== null; frame = frameAt(bytes, at)) {
    at += frame.bytes;
    if (at > bytes.length) return null;
    seconds += frame.seconds;
    at = afterTags(bytes, at);
  }
  if (at > bytes.length) return null;
  return seconds > 0 ? { seconds } : null;
}

/** The offset behind all tags and padding that begin at this offset. */
function afterTags(bytes: Buffer, from: number): number {
  let at = from;
  for (let end = tagEnd(bytes, at); end > at; end = tagEnd(bytes, at)) at = end;
  return at;
}

/** The end of the tag or padding at this offset; the offset itself if there is neither. */
function tagEnd(bytes: Buffer, at: number): number {
  const name = bytes.toString('latin1', at, at + 3);
  if (name === 'TAG') return Math.min(at + 128, bytes.length);
  if (name === 'ID3' && at + 10 <= bytes.length) {
    let length = 0;
    for (const digit of bytes.subarray(at + 6, at + 10)) length = length * 128 + (digit & 0x7f);
    // A tag may have a footer like its header.
    const hasFooter = ((bytes[at + 5] ?? 0) & 0x10) !== 0;
    return at + length + (hasFooter ? 20 : 10);
  }
  let end = at;
  while (bytes[end] === 0) end += 1;
  return end;
}

/** The layer III frame whose header is at this offset; null when there is none. */
function frameAt(bytes: Buffer, at: number): Frame | null {
  if (at + 4 > bytes.length || bytes.readUInt16BE(at) >>> 5 !== 0x7ff) return null;
  const [, second = 0, third = 0] = bytes.subarray(at, at + 3);
  const divisor = versions[(second >>> 3) & 3];
  const hertz = sampleRates[(third >>> 2) & 3];
  const kbps = (divisor === 1 ? kbps1 : kbps2)[third >>> 4];
  const isLayer3 = ((second >>> 1) & 3) === 1;
  if (!isLayer3 || divisor === undefined || hertz === undefined || !kbps) return null;
  const samples = divisor === 1 ? 1152 : 576;
  const rate = hertz / divisor;
  const padding = (third >>> 1) & 1;
  return { bytes: Math.floor((samples / 8) * ((kbps * 1000) / rate)) + padding, seconds: samples / rate };
}
