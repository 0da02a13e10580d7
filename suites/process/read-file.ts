import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import { UsageError } from './exit-codes.ts';

const mebibyte = 1024 * 1024;

/** The largest file of each kind that is read, bytes. */
export const mostBytes = {
  report: 256 * mebibyte,
  module: 16 * mebibyte,
  yaml: mebibyte,
  pem: mebibyte,
} as const;

/** How long a pipe may have no writer, and how long its writer may be silent, ms. */
const usualPatience = { writerMs: 5_000, silentMs: 600_000 };
const lookAgainMs = 20;

/**
 * The content of a file that another person may have written, or placed: it may be a device that never ends, or a pipe into which
 * nobody writes.
 * @throws an error with a `code`: EFBIG for one that is larger, ETIMEDOUT for a silent pipe, else that of the system
 */
export function readWithin(path: string, most: number, patience = usualPatience): Buffer {
  // Otherwise opening a pipe would wait for its writer.
  const file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    const facts = fstatSync(file);
    if (facts.size > most) throw tooLarge(path);
    return readToEnd({ file, path, most, waitsMs: facts.isFIFO() ? patience : null });
  } finally {
    closeSync(file);
  }
}

/** The JSON of such a file. @throws SyntaxError where it is none, or as `readWithin` does */
export function readJson(path: string, most: number = mostBytes.report): unknown {
  return JSON.parse(readWithin(path, most).toString('utf8'));
}

interface Reading {
  readonly file: number;
  readonly path: string;
  readonly most: number;
  /** Null where an end is an end, as of a device. */
  readonly waitsMs: typeof usualPatience | null;
}

/** A pipe is a file as good as others: `gatecheck diff <(…) new.json`. The size of files of the system is 0, so none is trusted. */
function readToEnd({ file, path, most, waitsMs }: Reading): Buffer {
  const pieces: Buffer[] = [];
  let length = 0;
  let wasThere = waitsMs === null;
  const piece = Buffer.allocUnsafe(mebibyte);
  for (let sinceMs = performance.now(); ; ) {
    const count = readSome(file, piece);
    wasThere ||= count !== 0;
    if (count === 0 && wasThere) return Buffer.concat(pieces, length);
    if (count > 0) {
      // A copy: a pipe may give a few bytes at a time.
      pieces.push(Buffer.from(piece.subarray(0, count)));
      length += count;
      sinceMs = performance.now();
      if (length > most) throw tooLarge(path);
      continue;
    }
    // A terminal also has nothing yet.
    const { silentMs, writerMs } = waitsMs ?? usualPatience;
    const patienceMs = wasThere ? silentMs : writerMs;
    if (performance.now() - sinceMs > patienceMs)
      throw Object.assign(new Error(`nobody writes into ${path}`), { code: 'ETIMEDOUT' });
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

function tooLarge(path: string): NodeJS.ErrnoException {
  return Object.assign(new Error(`${path} is too large`), { code: 'EFBIG' });
}

const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  EISDIR: 'this is a folder',
  ENOTDIR: 'there is no such file',
  EACCES: 'you may not read it',
  EFBIG: 'it is too large',
  ELOOP: 'it is a link to itself',
  ETIMEDOUT: 'nobody has written into this pipe',
};

/** Why a file could not be read, for the user. `named` is how the user named it: `OLD a.json`. */
export function unreadable(named: string, error: unknown): UsageError {
  const { code = 'unknown error' } = error as NodeJS.ErrnoException;
  return new UsageError(`${named}: ${reasons[code] ?? `it cannot be read (${code})`}`);
}
