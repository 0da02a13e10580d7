import type { ByteRange } from './byte-range.ts';
import type { Exchange } from './exchange.ts';
import { writeAll, writeHead } from './send.ts';

export interface FileAnswer {
  readonly contentType: string;
  /** Length of the whole file. */
  readonly bytes: number;
  /** Reads `length` bytes from offset `at`. */
  read(at: number, length: number): Promise<Buffer>;
  /** The requested part; null for the whole file. */
  readonly range: ByteRange | null;
}

const pieceBytes = 64 * 1024;

/** Sends a file, or a part of it, as fast as the client reads it. */
export async function sendFile(exchange: Exchange, answer: FileAnswer): Promise<void> {
  const { first, last } = answer.range ?? { first: 0, last: answer.bytes - 1 };
  const headers = {
    'content-type': answer.contentType,
    'accept-ranges': 'bytes',
    'x-content-type-options': 'nosniff',
    ...(answer.range !== null && { 'content-range': `bytes ${first}-${last}/${answer.bytes}` }),
  };
  const status = answer.range === null ? 200 : 206;
  writeHead(exchange, { status, headers }, last - first + 1);
  try {
    for (let at = first; at <= last; at += pieceBytes) {
      const length = Math.min(pieceBytes, last - at + 1);
      const piece = await answer.read(at, length);
      if (piece.length < length) throw new Error('a kept file is shorter than it was');
      if (!(await writeAll(exchange, piece))) return;
    }
  } catch (error) {
    // The announced rest cannot be sent: destroy the connection, so that the client does not treat the part as the whole.
    exchange.outgoing.destroy();
    throw error;
  }
  await exchange.over();
  exchange.outgoing.end();
}
