import type { Colour, Picture } from './png.ts';

/** Optional but legal parts of a JPEG: fill bytes before markers, and restarts after each row. */
export interface JpegForm {
  readonly filled?: boolean;
  readonly restarts?: boolean;
}

/** Pixels of a block on each side. */
const side = 8;

const marker = {
  start: 0xd8,
  end: 0xd9,
  frame: 0xc0,
  codes: 0xc4,
  scan: 0xda,
  tables: 0xdb,
  interval: 0xdd,
} as const;
const [jfif, comment] = [0xe0, 0xfe];

/**
 * A code of one bit for length 0, and eight codes of five bits for the lengths 1 to 8. A length is that of a difference, in
 * bits.
 */
const lengthCodes = [1, 0, 0, 0, 8, ...Array.from({ length: 11 }, () => 0), ...[0, 1, 2, 3, 4, 5, 6, 7, 8]];
/** The only code: the block has nothing besides its mean. */
const blockEnd = [1, ...Array.from({ length: 15 }, () => 0), 0];

/**
 * The image as a baseline JPEG of plain blocks, so that it stays small. Without its scan, which is not legal, if `hasScan` is
 * false.
 */
export function renderJpeg(
  picture: Picture,
  { filled = false, restarts = false }: JpegForm,
  hasScan = true,
): Buffer {
  const { width, height, description } = picture;
  const [across, down] = [Math.ceil(width / side), Math.ceil(height / side)];
  const fill = Buffer.alloc(filled ? 3 : 0, 0xff);
  const segment = (code: number, ...data: readonly number[]): Buffer => {
    const length = data.length + 2;
    return Buffer.concat([fill, Buffer.from([0xff, code, length >> 8, length & 0xff, ...data])]);
  };
  const components = [1, 2, 3];
  const sizes = [height >> 8, height & 0xff, width >> 8, width & 0xff];
  return Buffer.concat([
    Buffer.from([0xff, marker.start]),
    segment(jfif, ...Buffer.from('JFIF\0\x01\x01\0\0\x01\0\x01\0\0', 'latin1')),
    segment(comment, ...Buffer.from(description, 'latin1')),
    segment(marker.tables, 0, ...Array.from({ length: side * side }, () => side)),
    segment(marker.frame, 8, ...sizes, components.length, ...components.flatMap((id) => [id, 0x11, 0])),
    segment(marker.codes, 0x00, ...lengthCodes),
    segment(marker.codes, 0x10, ...blockEnd),
    ...(restarts ? [segment(marker.interval, across >> 8, across & 0xff)] : []),
    ...(hasScan
      ? [
          segment(marker.scan, components.length, ...components.flatMap((id) => [id, 0]), 0, 63, 0),
          scan(picture, { across, down, restarts }),
        ]
      : []),
    fill,
    Buffer.from([0xff, marker.end]),
  ]);
}

interface Grid {
  readonly across: number;
  readonly down: number;
  readonly restarts: boolean;
}

/** Row by row the difference of each block to the one before, in each component. */
function scan({ sky, sea }: Picture, { across, down, restarts }: Grid): Buffer {
  const bits = new BitWriter();
  let before: readonly number[] = [0, 0, 0];
  for (let row = 0; row < down; row += 1) {
    if (restarts && row > 0) {
      bits.restart((row - 1) % side);
      before = [0, 0, 0];
    }
    const means = meansOf(row < down / 2 ? sky : sea);
    for (let column = 0; column < across; column += 1) {
      for (const [at, mean] of means.entries()) bits.difference(mean - (before[at] ?? 0));
      before = means;
    }
  }
  return bits.end();
}

/** Brightness and the two colour differences, each around zero. */
function meansOf([red, green, blue]: Colour): number[] {
  return [
    0.299 * red + 0.587 * green + 0.114 * blue - 128,
    -0.1687 * red - 0.3313 * green + 0.5 * blue,
    0.5 * red - 0.4187 * green - 0.0813 * blue,
  ].map((mean) => Math.min(127, Math.max(-128, Math.round(mean))));
}

class BitWriter {
  readonly #bytes: number[] = [];
  #held = 0;
  #count = 0;

  /** A difference by the code of its length, then its bits, and the end of its block. */
  difference(value: number): void {
    const length = 32 - Math.clz32(Math.abs(value));
    if (length === 0) this.#write(0, 1);
    else {
      this.#write(15 + length, 5);
      this.#write(value > 0 ? value : value + (1 << length) - 1, length);
    }
    this.#write(0, 1);
  }

  restart(number: number): void {
    this.#pad();
    this.#bytes.push(0xff, 0xd0 + number);
  }

  end(): Buffer {
    this.#pad();
    return Buffer.from(this.#bytes);
  }

  #pad(): void {
    while (this.#count > 0) this.#write(1, 1);
  }

  #write(value: number, length: number): void {
    for (let at = length - 1; at >= 0; at -= 1) {
      this.#held = (this.#held << 1) | ((value >> at) & 1);
      this.#count += 1;
      if (this.#count < 8) continue;
      // A zero after a byte 0xff shows that it is not a marker.
      this.#bytes.push(...(this.#held === 0xff ? [0xff, 0] : [this.#held]));
      this.#held = 0;
      this.#count = 0;
    }
  }
}
