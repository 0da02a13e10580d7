import type { Readable } from 'node:stream';

/** A file as it is kept: `name` is `{random of 128 bits or more}.{extension}` and whoever knows it may read it. */
export interface KeptFile {
  readonly name: string;
  readonly contentType: string;
  readonly bytes: number;
}

/** A kept file to be read, even when it is removed meanwhile; to be closed by whoever opened it. */
export interface OpenedFile extends KeptFile {
  /** So many bytes from a place on; fewer at the end. */
  read(at: number, length: number): Promise<Buffer>;
  close(): Promise<void>;
}

/** What this gateway made for callers. */
export interface MediaFiles {
  /** Keeps a whole file, durably. The extension tells the type. */
  keep(extension: string, content: Buffer | Readable): Promise<KeptFile>;
  /** Null when there is none of the name (which may be anything). */
  open(name: string): Promise<OpenedFile | null>;
  /** Harmless when it is gone already. */
  remove(name: string): Promise<void>;
  /** Removes files that were kept longer ago than this. */
  removeOlderThan(ms: number): Promise<void>;
}
