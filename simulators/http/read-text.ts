import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';

const pieceBytes = 64 * 1024;

/** How long a pipe may have no writer, and how long its writer may be silent, ms. */
const usualPatience = { writerMs: 5_000, silentMs: 600_000 };
const lookAgainMs = 20;

/** A file has more bytes than its reader takes. */
export class TooLarge extends Error {
  override readonly name = 'TooLarge';
  readonly code = 'EFBIG';
}

/** Nobody writes into a pipe. */
class Silent extends Error {
  override readonly name = 'Silent';
  readonly code = 'ETIMEDOUT';
}

/**
 * The text of a file that another person may have written, or placed: it may be a device that never ends, or a pipe into which
 * nobody writes.
 * @throws TooLarge for one of more than `mostBytes`; an error of code ETIMEDOUT for a silent pipe; or that of the system
 */
export function readText(path: string, mostBytes: number, patience = usualPatience): string {
  // Otherwise opening a pipe would wait for its writer.
  const file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    const facts = fstatSync(file);
    if (facts.size > mostBytes) throw new TooLarge(`${path} has more than ${mostBytes} bytes`);
    return readToEnd({ file, path, mostBytes, isPipe: facts.isFIFO(), patience });
  } finally {
    closeSync(file);
  }
}

interface Reading {
  readonly file: number;
  readonly path: string;
  readonly mostBytes: number;
  /** Whether an end may only mean that no writer has come yet. */
  readonly isPipe: boolean;
  readonly patience: typeof usualPatience;
}

/** Never trusts the size: that of files of the system is 0. */
function readToEnd({ file, path, mostBytes, isPipe, patience }: Reading): string {
  const pieces: Buffer[] = [];
  let sinceMs = performance.now();
  let wasThere = !isPipe;
  const piece = Buffer.allocUnsafe(pieceBytes);
  for (let length = 0; length <= mostBytes; ) {
    const count = readSome(file, piece);
    wasThere ||= count !== 0;
    if (count === 0 && wasThere) return Buffer.concat(pieces, length).toString('utf8');
    if (count > 0) {
      // A copy: a pipe may give a few bytes at a time.
      pieces.push(Buffer.from(piece.subarray(0, count)));
      length += count;
      sinceMs = performance.now();
      continue;
    }
    if (performance.now() - sinceMs > (wasThere ? patience.silentMs : patience.writerMs))
      throw new Silent(`nobody writes into ${path}`);
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, lookAgainMs);
  }
  throw new TooLarge(`${path} has more than ${mostBytes} bytes`);
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
