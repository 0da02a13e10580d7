import { closeSync, fstatSync, openSync, readFileSync, readSync } from 'node:fs';
import { UsageError } from './exit-codes.ts';

const mebibyte = 1024 * 1024;

/** The largest file of each kind that is read, bytes. */
export const mostBytes = { report: 256 * mebibyte, yaml: mebibyte, pem: mebibyte } as const;

/**
 * The content of a file that another person may have written, or placed: it may be a device that never ends.
 * @throws an error with a `code`: EFBIG for one that is larger, else that of the system
 */
export function readWithin(path: string, most: number): Buffer {
  const file = openSync(path, 'r');
  try {
    const facts = fstatSync(file);
    if (facts.size > most) throw tooLarge(path);
    return facts.isFile() ? readFileSync(file) : readPipe(file, path, most);
  } finally {
    closeSync(file);
  }
}

/** The JSON of such a file. @throws SyntaxError where it is none, or as `readWithin` does */
export function readJson(path: string, most: number = mostBytes.report): unknown {
  return JSON.parse(readWithin(path, most).toString('utf8'));
}

/** A pipe is a file as good as others: `gatecheck diff <(…) new.json`. */
function readPipe(file: number, path: string, most: number): Buffer {
  const pieces: Buffer[] = [];
  for (let length = 0; ; ) {
    const piece = Buffer.allocUnsafe(mebibyte);
    const count = readSync(file, piece, 0, mebibyte, null);
    if (count === 0) return Buffer.concat(pieces, length);
    pieces.push(piece.subarray(0, count));
    length += count;
    if (length > most) throw tooLarge(path);
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
};

/** Why a file could not be read, for the user. `named` is how the user named it: `OLD a.json`. */
export function unreadable(named: string, error: unknown): UsageError {
  const { code = 'unknown error' } = error as NodeJS.ErrnoException;
  return new UsageError(`${named}: ${reasons[code] ?? `it cannot be read (${code})`}`);
}
