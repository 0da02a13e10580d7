/**
 * Whether a marker starts a frame header, which contains the size. C4, C8 and CC lie in the same range but mean tables and
 * reserved markers.
 */
const isFrame = (marker: number): boolean =>
  marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);

export function isJpeg(bytes: Buffer): boolean {
  return bytes.subarray(0, 3).equals(Buffer.from([0xff, 0xd8, 0xff]));
}

/** Width and height of a JPEG with its end marker; null for a broken one. */
export function jpegSize(bytes: Buffer): readonly [width: number, height: number] | null {
  if (bytes.lastIndexOf(Buffer.from([0xff, 0xd9])) < 0) return null;
  for (let at = 2; at + 9 < bytes.length && bytes[at] === 0xff; at += 2 + bytes.readUInt16BE(at + 2)) {
    // Any number of fill bytes may precede a marker.
    while (bytes[at + 1] === 0xff) at += 1;
    if (at + 9 >= bytes.length) return null;
    if (isFrame(bytes[at + 1] ?? 0)) return [bytes.readUInt16BE(at + 7), bytes.readUInt16BE(at + 5)];
  }
  return null;
}
