import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';

/** The maximum size of a body, bytes. */
const maxBodyBytes = 64 * 1024 * 1024;

/** An incoming request, over any version of HTTP. */
export type Incoming = Pick<IncomingMessage, 'method' | 'url'> &
  Pick<Readable, 'readableEnded' | 'destroyed' | 'on'>;

/** How the reading of a body ended: at its end, at the limit, or with the connection. */
export type BodyEnd = 'whole' | 'too-large' | 'broken';

/** The pieces of a body, already read. */
export interface CollectedBody {
  readonly chunks: readonly Buffer[];
  readonly end: BodyEnd;
}

/** Reads the body of a request as {@link readBody} does, and keeps its pieces. */
export function collectBody(request: Incoming): Promise<CollectedBody> {
  const chunks: Buffer[] = [];
  return new Promise((resolve) => {
    readBody(
      request,
      (chunk) => chunks.push(chunk),
      (end) => resolve({ chunks, end }),
    );
  });
}

/** Reads the body of a request, piece by piece, and calls `onEnd` once. Bytes beyond the limit are discarded. */
export function readBody(
  request: Incoming,
  onChunk: (chunk: Buffer) => void,
  onEnd: (end: BodyEnd) => void,
): void {
  if (request.readableEnded || request.destroyed) {
    onEnd(request.readableEnded ? 'whole' : 'broken');
    return;
  }
  let bytes = 0;
  let hasEnded = false;
  const finish = (end: BodyEnd): void => {
    if (hasEnded) return;
    hasEnded = true;
    onEnd(end);
  };
  // Events, because an iterator would cost as much as all other work on the body. Without an 'error' listener, a broken
  // connection shows only as 'close'. Events after the first end are ignored.
  request.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes <= maxBodyBytes) onChunk(chunk);
    else finish('too-large');
  });
  request.on('end', () => finish('whole'));
  request.on('close', () => finish('broken'));
}
