/** The bytes of a file that may be too large for memory. */
export interface MediaSource {
  readonly bytes: number;
  /** So many bytes from a place on; fewer at the end. */
  read(at: number, length: number): Promise<Buffer>;
}

/** Bytes that are in memory. */
export function sourceOf(bytes: Buffer): MediaSource {
  return { bytes: bytes.length, read: async (at, length) => bytes.subarray(at, at + length) };
}
