import { crc32, deflateSync } from 'node:zlib';

/** Red, green, blue. */
export type Colour = readonly [number, number, number];

/** An image of two colours: a sky above a sea. */
export interface Picture {
  readonly width: number;
  readonly height: number;
  readonly sky: Colour;
  readonly sea: Colour;
  /** The text of its `Description` chunk. */
  readonly description: string;
}

const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

/** The image as a PNG with a palette of two colours and one bit per pixel, so it stays small. */
export function renderPng({ width, height, sky, sea, description }: Picture): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  // One bit per pixel, each an index into the palette.
  header.set([1, 3, 0, 0, 0], 8);
  return Buffer.concat([
    signature,
    chunk('IHDR', header),
    chunk('PLTE', Buffer.from([...sky, ...sea])),
    chunk('tEXt', Buffer.from(`Description\0${description}`, 'latin1')),
    chunk('IDAT', pixels(width, height)),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function chunk(type: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const framed = Buffer.alloc(named.length + 8);
  framed.writeUInt32BE(data.length, 0);
  named.copy(framed, 4);
  framed.writeUInt32BE(crc32(named), named.length + 4);
  return framed;
}

/** For how many sizes the packed pixels are cached. Images of one size differ only in their palettes. */
const maxKept = 64;
const kept = new Map<string, Buffer>();

function pixels(width: number, height: number): Buffer {
  const size = `${width}x${height}`;
  const known = kept.get(size);
  if (known !== undefined) return known;
  const row = 1 + Math.ceil(width / 8);
  const raw = Buffer.alloc(row * height);
  for (let y = Math.floor(height / 2); y < height; y += 1) raw.fill(0xff, y * row + 1, (y + 1) * row);
  const packed = deflateSync(raw, { level: 1 });
  if (kept.size >= maxKept) kept.clear();
  kept.set(size, packed);
  return packed;
}
