import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';

const mebibyte = 1024 * 1024;

/** The largest file of each kind that is read, bytes. */
export const mostBytes = { config: 64 * mebibyte, pem: mebibyte } as const;

/** How long a pipe may have no writer, and how long its writer may be silent, ms. */
const usualPatience = { writerMs: 5_000, silentMs: 60_000 };
const lookAgainMs = 20;

/**
 * The text of a file that the operator names. It may be a device that never ends, or a pipe into which nobody writes.
 * @throws an error with a `code`: EFBIG for one that is larger, ETIMEDOUT for a silent pipe, else that of the system
 */
export function readNamedFile(path: string, most: number, patience = usualPatience): string {
  // Otherwise opening a pipe would wait for its writer.
  const file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    const facts = fstatSync(file);
    if (facts.size > most) throw failure('EFBIG', `${path} is too large`);
    return readToEnd({ file, path, most, isPipe: facts.isFIFO(), patience });
  } finally {
    closeSync(file);
  }
}

interface Reading {
  readonly file: number;
  readonly path: string;
  readonly most: number;
  /** Whether an end may only mean that no writer has come yet. */
  readonly isPipe: boolean;
  readonly patience: typeof usualPatience;
}

/** Never trusts the size: that of files of the system is 0. */
function readToEnd({ file, path, most, isPipe, patience }: Reading): string {
  const pieces: Buffer[] = [];
  let length = 0;
  let wasThere = !isPipe;
  const piece = Buffer.allocUnsafe(mebibyte);
  for (let sinceMs = performance.now(); ; ) {
    const count = readSome(file, piece);
    wasThere ||= count !== 0;
    if (count === 0 && wasThere) return Buffer.concat(pieces, length).toString('utf8');
    if (count > 0) {
      // A copy: a pipe may give a few bytes at a time.
      pieces.push(Buffer.from(piece.subarray(0, count)));
      length += count;
      sinceMs = performance.now();
      if (length > most) throw failure('EFBIG', `${path} is too large`);
      continue;
    }
    if (performance.now() - sinceMs > (wasThere ? patience.silentMs : patience.writerMs))
      throw failure('ETIMEDOUT', `nobody writes into ${path}`);
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, lookAgainMs);
  }
}

/** The number of bytes read; 0 at the end and without a writer, below 0 where the writer has written nothing yet. */
function readSome(file: number, piece: Buffer): number {
  try {
    return readSync(file, piece, 0, piece.length, null);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EAGAIN') return -1;
    throw error;
  }
}

function failure(code: string, message: string): NodeJS.ErrnoException {
  return Object.assign(new Error(message), { code });
}

const reasons: Readonly<Record<string, string>> = {
  EFBIG: 'it is too large',
  ETIMEDOUT: 'nobody writes into this pipe',
  EISDIR: 'it is a folder',
};

/** Why a file could not be read, as part of a sentence. */
export function whyUnread(error: unknown): string {
  const { code = 'unknown error' } = error as NodeJS.ErrnoException;
  return reasons[code] ?? code;
}
