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
  return tagEnd(head) > 0 || frameAt(head, 0) !== null;
}

/** Reads frame by frame, ignoring anything after the last. Null when there is no frame or one is truncated. */
export function inspectMp3(bytes: Buffer): Recording | null {
  let seconds = 0;
  let at = tagEnd(bytes);
  for (let frame = frameAt(bytes, at); frame !== null; frame = frameAt(bytes, at)) {
    at += frame.bytes;
    if (at > bytes.length) return null;
    seconds += frame.seconds;
  }
  return seconds > 0 ? { seconds } : null;
}

/** Returns the end of the tag before the frames; 0 without a tag. */
function tagEnd(bytes: Buffer): number {
  if (bytes.length < 10 || bytes.toString('latin1', 0, 3) !== 'ID3') return 0;
  let length = 0;
  for (const digit of bytes.subarray(6, 10)) length = length * 128 + (digit & 0x7f);
  return 10 + length;
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
