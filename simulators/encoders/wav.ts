/** A low sample rate, so that a song stays small. */
const samplesPerSecond = 4000;

/** A quiet tone of the given length, 8-bit mono. The title is in its info list. */
export function renderWav(seconds: number, title: string): Buffer {
  const format = Buffer.alloc(16);
  format.writeUInt16LE(1, 0);
  format.writeUInt16LE(1, 2);
  format.writeUInt32LE(samplesPerSecond, 4);
  format.writeUInt32LE(samplesPerSecond, 8);
  format.writeUInt16LE(1, 12);
  format.writeUInt16LE(8, 14);
  const samples = Buffer.alloc(Math.max(1, Math.round(seconds * samplesPerSecond)), tone);
  const list = Buffer.concat([Buffer.from('INFO'), chunk('INAM', Buffer.from(`${title}\0`, 'latin1'))]);
  const body = [chunk('fmt ', format), chunk('LIST', list), chunk('data', samples)];
  return chunk('RIFF', Buffer.concat([Buffer.from('WAVE'), ...body]));
}

/** One period of 250 Hz around the middle of the range. */
const tone: Buffer = Buffer.from(
  Array.from({ length: 16 }, (_, at) => 128 + Math.round(16 * Math.sin((2 * Math.PI * at) / 16))),
);

function chunk(type: string, data: Buffer): Buffer {
  const head = Buffer.alloc(8);
  head.write(type, 'latin1');
  head.writeUInt32LE(data.length, 4);
  return Buffer.concat([head, data, Buffer.alloc(data.length % 2)]);
}
