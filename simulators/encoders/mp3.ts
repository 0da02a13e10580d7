/** MPEG 2.5 layer III, 8 kbit/s, 8 kHz, mono: 576 samples in 72 bytes, so a second is 1000 bytes. */
const frameHeader = [0xff, 0xe3, 0x18, 0xc4];
const frameBytes = 72;
const samplesPerFrame = 576;
const samplesPerSecond = 8000;

/** Silence of the given length, to the nearest frame (72 ms), with a title in an ID3v2 tag. */
export function renderMp3(seconds: number, title: string): Buffer {
  const frames = Math.max(1, Math.round((seconds * samplesPerSecond) / samplesPerFrame));
  // A frame whose body is all zeros is silent.
  const frame = Buffer.alloc(frameBytes);
  frame.set(frameHeader);
  return Buffer.concat([id3(title), Buffer.alloc(frames * frameBytes, frame)]);
}

/** One text frame, TIT2, of version 2.3. */
function id3(title: string): Buffer {
  const text = Buffer.concat([Buffer.from([0]), Buffer.from(title, 'latin1')]);
  const frame = Buffer.alloc(10);
  frame.write('TIT2', 'latin1');
  frame.writeUInt32BE(text.length, 4);
  const size = frame.length + text.length;
  const sizeBytes = [21, 14, 7, 0].map((shift) => (size >>> shift) & 0x7f);
  return Buffer.concat([Buffer.from([0x49, 0x44, 0x33, 3, 0, 0, ...sizeBytes]), frame, text]);
}
