import type { Picture } from './png.ts';

/**
 * The image as a lossless WebP in the sky's colour only, so that it stays tiny. The extended form also states the size in its
 * own chunk.
 */
export function renderWebp({ width, height, sky, description }: Picture, isExtended: boolean): Buffer {
  const image = chunk('VP8L', losslessImage(width, height, sky));
  const canvas = Buffer.alloc(10);
  canvas.writeUIntLE(width - 1, 4, 3);
  canvas.writeUIntLE(height - 1, 7, 3);
  // Readers skip chunks that they do not know.
  const said = chunk('said', Buffer.from(description, 'latin1'));
  const chunks = isExtended ? [chunk('VP8X', canvas), image, said] : [image];
  const body = Buffer.concat([Buffer.from('WEBP', 'latin1'), ...chunks]);
  const head = Buffer.alloc(8);
  head.write('RIFF', 'latin1');
  head.writeUInt32LE(body.length, 4);
  return Buffer.concat([head, body]);
}

function chunk(name: string, data: Buffer): Buffer {
  const head = Buffer.alloc(8);
  head.write(name, 'latin1');
  head.writeUInt32LE(data.length, 4);
  return Buffer.concat([head, data, Buffer.alloc(data.length % 2)]);
}

/** Each of the five codes has a single symbol of zero bits, so the pixels need no bits. */
function losslessImage(width: number, height: number, [red, green, blue]: Picture['sky']): Buffer {
  const sizes: [value: number, bits: number][] = [
    [width - 1, 14],
    [height - 1, 14],
  ];
  // Opaque, version 0; no transform, no cache of colours, one group of codes.
  const plain: [number, number][] = [
    [0, 1],
    [0, 3],
    [0, 1],
    [0, 1],
    [0, 1],
  ];
  const codes = [green, red, blue, 0xff, 0].flatMap((symbol): [number, number][] => [
    [1, 1],
    [0, 1],
    [1, 1],
    [symbol, 8],
  ]);
  const bits = [...sizes, ...plain, ...codes].flatMap(([value, length]) =>
    Array.from({ length }, (_, at) => (value >> at) & 1),
  );
  const bytes = Buffer.alloc(1 + Math.ceil(bits.length / 8));
  bytes[0] = 0x2f;
  for (const [at, bit] of bits.entries())
    bytes[1 + (at >> 3)] = (bytes[1 + (at >> 3)] ?? 0) | (bit << (at & 7));
  return bytes;
}
