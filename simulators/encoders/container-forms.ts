/**
 * The same film whose box of frames states its length in 64 bits, as those of large films do. Its longer head takes the
 * place of the free box before it, so that no offset changes.
 */
export function withLongBox(film: Buffer): Buffer {
  const type = film.indexOf('mdat', 0, 'latin1');
  const [at, free] = [type - 4, type - 12];
  const head = Buffer.alloc(16);
  head.writeUInt32BE(1);
  head.write('mdat', 4, 'latin1');
  head.writeBigUInt64BE(BigInt(film.readUInt32BE(at) + 8), 8);
  return Buffer.concat([film.subarray(0, free), head, film.subarray(at + 8)]);
}

const formatEnd = 12 + 8 + 16;

/** The same sound with a chunk of three bytes, and one that pads it, before the samples. */
export function withOddChunk(sound: Buffer): Buffer {
  const chunk = Buffer.from('note\x03\0\0\0sea\0', 'latin1');
  const whole = Buffer.concat([sound.subarray(0, formatEnd), chunk, sound.subarray(formatEnd)]);
  whole.writeUInt32LE(whole.length - 8, 4);
  return whole;
}
