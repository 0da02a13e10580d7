interface Box {
  readonly type: string;
  readonly data: Buffer;
}

export function isMp4(bytes: Buffer): boolean {
  return bytes.toString('latin1', 4, 8) === 'ftyp';
}

/** The main brand of an MP4: `M4A ` has only audio. */
export function mp4Brand(bytes: Buffer): string {
  return bytes.toString('latin1', 8, 12);
}

/** The length that a complete MP4 declares; null for a broken one, or one that declares none. */
export function mp4Seconds(bytes: Buffer): number | null {
  const movie = boxesIn(bytes)?.find(({ type }) => type === 'moov');
  const header = boxesIn(movie?.data ?? Buffer.alloc(0))?.find(({ type }) => type === 'mvhd')?.data;
  if (header === undefined || header.length < 20) return null;
  const isLong = header[0] === 1;
  if (isLong && header.length < 32) return null;
  const scale = header.readUInt32BE(isLong ? 20 : 12);
  const length = isLong ? Number(header.readBigUInt64BE(24)) : header.readUInt32BE(16);
  return scale === 0 ? null : length / scale;
}

/** The boxes of these bytes; null when the last one is cut short. */
function boxesIn(bytes: Buffer): readonly Box[] | null {
  const boxes: Box[] = [];
  for (let at = 0; at < bytes.length; ) {
    if (at + 8 > bytes.length) return null;
    const short = bytes.readUInt32BE(at);
    if (short === 1 && at + 16 > bytes.length) return null;
    const head = short === 1 ? 16 : 8;
    const size =
      short === 0 ? bytes.length - at : short === 1 ? Number(bytes.readBigUInt64BE(at + 8)) : short;
    if (size < head || at + size > bytes.length) return null;
    boxes.push({
      type: bytes.toString('latin1', at + 4, at + 8),
      data: bytes.subarray(at + head, at + size),
    });
    at += size;
  }
  return boxes;
}
