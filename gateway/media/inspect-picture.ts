import { crc32 } from 'node:zlib';

/** A complete image, as described by its own bytes. */
export interface Picture {
  readonly extension: 'png' | 'jpg' | 'webp';
  readonly width: number;
  readonly height: number;
}

type Size = Omit<Picture, 'extension'>;

/** The image in these bytes if it is complete and of a promised type; null otherwise. */
export function inspectPicture(bytes: Buffer): Picture | null {
  if (isPng(bytes)) return named('png', pngSize(bytes));
  if (isJpeg(bytes)) return named('jpg', jpegSize(bytes));
  if (isWebp(bytes)) return named('webp', webpSize(bytes));
  return null;
}

function named(extension: Picture['extension'], size: Size | null): Picture | null {
  return size !== null && size.width > 0 && size.height > 0 ? { extension, ...size } : null;
}

const pngSignature = Buffer.from('89504e470d0a1a0a', 'hex');

/** By the first bytes alone; the rest may still be damaged. */
export function isPng(head: Buffer): boolean {
  return head.subarray(0, pngSignature.length).equals(pngSignature);
}

export function isJpeg(head: Buffer): boolean {
  return head.length >= 3 && head.readUIntBE(0, 3) === 0xffd8ff;
}

/** A drawing behind its own prologue; a page may show one, too. */
const svgStart = /^\s*(?:<\?[^>]*>\s*|<!--[\s\S]*?-->\s*|<!DOCTYPE\s+svg[^>]*>\s*)*<svg[\s/>]/i;

/** A drawing as XML, which no answer promises. */
export function isSvg(head: Buffer): boolean {
  return svgStart.test(head.toString('utf8', 0, 1000));
}

export function isWebp(head: Buffer): boolean {
  return head.toString('latin1', 0, 4) === 'RIFF' && head.toString('latin1', 8, 12) === 'WEBP';
}

/** Bytes of length, type and checksum around the data of a chunk. */
const pngChunk = 12;

/** Reads chunk by chunk, with each checksum, to the last; null for a truncated or damaged file. */
function pngSize(bytes: Buffer): Size | null {
  let size: Size | null = null;
  let hasPixels = false;
  for (let at = pngSignature.length; at + pngChunk <= bytes.length; ) {
    const end = at + pngChunk + bytes.readUInt32BE(at);
    if (end > bytes.length || crc32(bytes.subarray(at + 4, end - 4)) !== bytes.readUInt32BE(end - 4))
      return null;
    const type = bytes.toString('latin1', at + 4, at + 8);
    if ((type === 'IHDR') !== (size === null)) return null;
    if (type === 'IHDR') {
      if (end - at !== pngChunk + 13) return null;
      size = { width: bytes.readUInt32BE(at + 8), height: bytes.readUInt32BE(at + 12) };
    }
    if (type === 'IDAT') hasPixels = true;
    if (type === 'IEND') return hasPixels ? size : null;
    at = end;
  }
  return null;
}

/** Reads marker by marker to the end of the image, skipping the data of scans. */
function jpegSize(bytes: Buffer): Size | null {
  let size: Size | null = null;
  let hasScan = false;
  for (let at = 2; at + 2 <= bytes.length; ) {
    if (bytes[at] !== 0xff) return null;
    const marker = bytes[at + 1] ?? 0;
    if (marker === 0xff) {
      at += 1;
      continue;
    }
    if (marker === 0xd9) return hasScan ? size : null;
    if (at + 4 > bytes.length) return null;
    const end = at + 2 + bytes.readUInt16BE(at + 2);
    if (end > bytes.length) return null;
    if (isFrameHeader(marker) && end - at >= 9) {
      size = { height: bytes.readUInt16BE(at + 5), width: bytes.readUInt16BE(at + 7) };
    }
    hasScan ||= marker === 0xda;
    at = marker === 0xda ? afterScan(bytes, end) : end;
  }
  return null;
}

/** Three of the markers C0 to CF are not frames: code tables, an extension and arithmetic conditions. */
function isFrameHeader(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
}

/** The offset of the next marker after a scan; stuffed bytes and restart markers are skipped. */
function afterScan(bytes: Buffer, from: number): number {
  for (let at = bytes.indexOf(0xff, from); at !== -1; at = bytes.indexOf(0xff, at + 1)) {
    const next = bytes[at + 1] ?? 0;
    if (next !== 0x00 && next !== 0xff && !(next >= 0xd0 && next <= 0xd7)) return at;
  }
  return bytes.length;
}

/** The file states its length, and its first chunk the size of the image. */
function webpSize(bytes: Buffer): Size | null {
  if (bytes.length < 30 || bytes.readUInt32LE(4) + 8 > bytes.length) return null;
  if (20 + bytes.readUInt32LE(16) > bytes.length) return null;
  switch (bytes.toString('latin1', 12, 16)) {
    case 'VP8 ':
      if (bytes.readUIntBE(23, 3) !== 0x9d012a) return null;
      return { width: bytes.readUInt16LE(26) & 0x3fff, height: bytes.readUInt16LE(28) & 0x3fff };
    case 'VP8L': {
      const bits = bytes.readUInt32LE(21);
      if (bytes[20] !== 0x2f) return null;
      return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 };
    }
    case 'VP8X':
      return { width: bytes.readUIntLE(24, 3) + 1, height: bytes.readUIntLE(27, 3) + 1 };
    default:
      return null;
  }
}
