import type { Readable } from 'node:stream';

/** A stored file. Its `name` is `{random of 128 bits or more}.{extension}`; a caller who knows it may read the file. */
export interface KeptFile {
  readonly name: string;
  readonly contentType: string;
  readonly bytes: number;
}

/**
 * A stored file opened for reading. In a directory it stays readable even if it is removed; in a bucket, reading then fails.
 * The opener must close it.
 */
export interface OpenedFile extends KeptFile {
  /** Reads `length` bytes from offset `at`; fewer at the end of the file. Rejects rather than leave a gap. */
  read(at: number, length: number): Promise<Buffer>;
  close(): Promise<void>;
}

/** The files that this gateway stores for callers. */
export interface MediaFiles {
  /** Stores a whole file durably. The extension gives the type. */
  keep(extension: string, content: Buffer | Readable): Promise<KeptFile>;
  /** Null when no file has this name, which may be any text. */
  open(name: string): Promise<OpenedFile | null>;
  /** Does nothing when the file no longer exists. */
  remove(name: string): Promise<void>;
  /** Removes files that were stored longer ago than this. */
  removeOlderThan(ms: number): Promise<void>;
}
