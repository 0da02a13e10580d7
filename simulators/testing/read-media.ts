import { crc32, inflateSync } from 'node:zlib';

/** The size and text of a PNG. Verifies every checksum and the number of pixels. */
export function readPng(bytes: Buffer): {
  width: number;
  height: number;
  colours: number[];
  description: string;
} {
  if (bytes.toString('latin1', 0, 8) !== '\x89PNG\r\n\x1a\n') throw new Error('no PNG');
  const chunks = new Map<string, Buffer>();
  let at = 8;
  while (at < bytes.length) {
    const length = bytes.readUInt32BE(at);
    const named = bytes.subarray(at + 4, at + 8 + length);
    if (crc32(named) !== bytes.readUInt32BE(at + 8 + length)) throw new Error('a chunk is broken');
    chunks.set(named.toString('latin1', 0, 4), named.subarray(4));
    at += 12 + length;
  }
  const part = (name: string): Buffer => chunks.get(name) ?? Buffer.alloc(0);
  const [width, height, depth] = [
    part('IHDR').readUInt32BE(0),
    part('IHDR').readUInt32BE(4),
    part('IHDR')[8] ?? 0,
  ];
  const pixels = inflateSync(part('IDAT'));
  if (pixels.length !== height * (1 + Math.ceil((width * depth) / 8))) throw new Error('pixels are missing');
  if ([...chunks.keys()].at(-1) !== 'IEND') throw new Error('it does not end');
  const description = part('tEXt').toString('latin1').replace('Description\0', '');
  return { width, height, colours: [...part('PLTE')], description };
}

/** The seconds of a WAV, its chunks walked. */
export function readWav(bytes: Buffer): number {
  if (bytes.readUInt32LE(4) !== bytes.length - 8) throw new Error('its length is wrong');
  const lengths = new Map<string, number>();
  let rate = 1;
  for (let at = 12; at < bytes.length; ) {
    const [name, length] = [bytes.toString('latin1', at, at + 4), bytes.readUInt32LE(at + 4)];
    if (name === 'fmt ') rate = bytes.readUInt32LE(at + 16);
    lengths.set(name, length);
    at += 8 + length + (length % 2);
  }
  return (lengths.get('data') ?? 0) / rate;
}

/** The seconds of an MP3 of any version and bit rate without tags, every frame walked. */
export function mp3Seconds(bytes: Buffer): number {
  const [high, low] = [
    [32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320],
    [8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
  ];
  const facts = new Map([
    [0xfb, { rates: high, hertz: 44_100, samples: 1152 }],
    [0xf3, { rates: low, hertz: 22_050, samples: 576 }],
    [0xe3, { rates: low, hertz: 11_025, samples: 576 }],
  ]);
  let seconds = 0;
  let at = 0;
  while (at < bytes.length) {
    const version = facts.get(bytes[at + 1] ?? 0);
    if (bytes[at] !== 0xff || version === undefined) throw new Error(`no frame at ${at}`);
    const { rates, hertz, samples } = version;
    const kilobits = rates?.[((bytes[at + 2] ?? 0) >> 4) - 1] ?? 0;
    at += Math.floor((samples * 125 * kilobits) / hertz) + (((bytes[at + 2] ?? 0) >> 1) & 1);
    seconds += samples / hertz;
  }
  if (at !== bytes.length) throw new Error('the last frame is cut short');
  return seconds;
}
