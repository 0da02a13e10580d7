/** The bytes of a file that may be too large for memory. */
export interface MediaSource {
  readonly bytes: number;
  /** Reads `length` bytes from offset `at`; fewer at the end of the file. */
  read(at: number, length: number): Promise<Buffer>;
}

/** A source for bytes in memory. */
export function sourceOf(bytes: Buffer): MediaSource {
  return { bytes: bytes.length, read: async (at, length) => bytes.subarray(at, at + length) };
}
