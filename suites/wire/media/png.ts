import { crc32 } from 'node:zlib';

const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const latin = (bytes: Buffer): string => bytes.toString('latin1');

export interface PngChunk {
  readonly type: string;
  readonly data: Buffer;
}

export function isPng(bytes: Buffer): boolean {
  return bytes.subarray(0, 8).equals(signature);
}

/** The chunks of a PNG; null when one is cut short or damaged, or the last is missing. */
export function pngChunks(bytes: Buffer): readonly PngChunk[] | null {
  const chunks: PngChunk[] = [];
  for (let at = 8; at + 12 <= bytes.length; ) {
    const end = at + 12 + bytes.readUInt32BE(at);
    if (end > bytes.length) return null;
    const named = bytes.subarray(at + 4, end - 4);
    if (crc32(named) !== bytes.readUInt32BE(end - 4)) return null;
    const type = latin(named.subarray(0, 4));
    chunks.push({ type, data: named.subarray(4) });
    if (type === 'IEND') return chunks[0]?.type === 'IHDR' ? chunks : null;
    at = end;
  }
  return null;
}

/** Width and height of a complete PNG; null for a broken one. */
export function pngSize(bytes: Buffer): readonly [width: number, height: number] | null {
  const [head] = pngChunks(bytes) ?? [];
  return head === undefined || head.data.length < 8
    ? null
    : [head.data.readUInt32BE(0), head.data.readUInt32BE(4)];
}

/** The text chunks of a PNG by keyword. */
export function pngTexts(bytes: Buffer): ReadonlyMap<string, string> {
  const texts = (pngChunks(bytes) ?? []).filter(({ type }) => type === 'tEXt');
  return new Map(
    texts.map(({ data }) => {
      const zero = data.indexOf(0);
      return [latin(data.subarray(0, zero)), latin(data.subarray(zero + 1))];
    }),
  );
}
