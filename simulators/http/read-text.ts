import { closeSync, fstatSync, openSync, readFileSync, readSync } from 'node:fs';

const pieceBytes = 64 * 1024;

/** A file has more bytes than its reader takes. */
export class TooLarge extends Error {
  override readonly name = 'TooLarge';
  readonly code = 'EFBIG';
}

/**
 * The text of a file that another person may have written, or placed: it may be a device that never ends.
 * @throws TooLarge for one of more than `mostBytes`, or the error of the system
 */
export function readText(path: string, mostBytes: number): string {
  const file = openSync(path, 'r');
  try {
    const facts = fstatSync(file);
    if (facts.size > mostBytes) throw new TooLarge(`${path} has more than ${mostBytes} bytes`);
    return facts.isFile() ? readFileSync(file, 'utf8') : readPipe(file, path, mostBytes);
  } finally {
    closeSync(file);
  }
}

function readPipe(file: number, path: string, mostBytes: number): string {
  const pieces: Buffer[] = [];
  for (let length = 0; length <= mostBytes; ) {
    const piece = Buffer.allocUnsafe(pieceBytes);
    const count = readSync(file, piece, 0, pieceBytes, null);
    if (count === 0) return Buffer.concat(pieces, length).toString('utf8');
    pieces.push(piece.subarray(0, count));
    length += count;
  }
  throw new TooLarge(`${path} has more than ${mostBytes} bytes`);
}
