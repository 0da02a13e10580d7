interface RiffChunk {
  readonly id: string;
  readonly data: Buffer;
}

/** The form of a RIFF file (`WEBP`, `WAVE`); null for another file. */
export function riffForm(bytes: Buffer): string | null {
  return bytes.toString('latin1', 0, 4) === 'RIFF' ? bytes.toString('latin1', 8, 12) : null;
}

/** The chunks of a RIFF file; null when it is cut short. */
function riffChunks(bytes: Buffer): readonly RiffChunk[] | null {
  const end = 8 + bytes.readUInt32LE(4);
  if (end > bytes.length) return null;
  const chunks: RiffChunk[] = [];
  for (let at = 12; at + 8 <= end; ) {
    const size = bytes.readUInt32LE(at + 4);
    if (at + 8 + size > end) return null;
    chunks.push({ id: bytes.toString('latin1', at, at + 4), data: bytes.subarray(at + 8, at + 8 + size) });
    at += 8 + size + (size % 2);
  }
  return chunks;
}

/** Width and height of a complete WebP; null for a broken one. */
export function webpSize(bytes: Buffer): readonly [width: number, height: number] | null {
  const [first] = riffChunks(bytes) ?? [];
  if (first === undefined || first.data.length < 10) return null;
  const { id, data } = first;
  if (id === 'VP8X') return [data.readUIntLE(4, 3) + 1, data.readUIntLE(7, 3) + 1];
  if (id === 'VP8 ') return [data.readUInt16LE(6) & 0x3fff, data.readUInt16LE(8) & 0x3fff];
  if (id !== 'VP8L') return null;
  const bits = data.readUInt32LE(1);
  return [(bits & 0x3fff) + 1, ((bits >>> 14) & 0x3fff) + 1];
}

/** The length of a complete WAV; null for a broken one. */
export function wavSeconds(bytes: Buffer): number | null {
  const chunks = riffChunks(bytes);
  const format = chunks?.find(({ id }) => id === 'fmt ')?.data;
  const sound = chunks?.find(({ id }) => id === 'data')?.data;
  if (format === undefined || format.length < 12 || sound === undefined) return null;
  const bytesPerSecond = format.readUInt32LE(8);
  return bytesPerSecond === 0 ? null : sound.length / bytesPerSecond;
}
