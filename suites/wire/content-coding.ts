import { createGunzip } from 'node:zlib';

/** A body that does not fit its Content-Encoding. The message is a sentence for a report. */
export class CodingError extends Error {
  override readonly name = 'CodingError';
}

/**
 * Decodes a body piece by piece. It decodes each piece before it awaits the next, so timing is preserved.
 * @throws CodingError when the body is broken, truncated, followed by more bytes, or in a coding that was not offered.
 */
export function decoded(source: AsyncIterable<Uint8Array>, coding: string): AsyncIterable<Buffer> {
  switch (coding.trim().toLowerCase()) {
    case '':
    case 'identity':
      return asBuffers(source);
    case 'gzip':
    case 'x-gzip':
      return gunzipped(source);
    default:
      return unreadable(source, coding);
  }
}

async function* asBuffers(source: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
  for await (const bytes of source) yield Buffer.from(bytes);
}

async function* gunzipped(source: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
  const gunzip = createGunzip();
  const ready: Buffer[] = [];
  let fault: Error | null = null;
  let received = 0;
  gunzip.on('data', (bytes: Buffer) => ready.push(bytes));
  gunzip.on('error', (error) => {
    fault = error;
  });
  const over = new Promise<void>((resolve) => gunzip.on('end', resolve).on('close', resolve));
  /** Waits until the decoder has consumed the piece, or has ended before. */
  const feed = (bytes: Uint8Array): Promise<void> =>
    Promise.race([new Promise<void>((resolve) => gunzip.write(bytes, () => resolve())), over]);
  const take = (): Buffer[] => ready.splice(0);
  const check = (): void => {
    if (fault !== null) throw new CodingError(`the gzip body is broken: ${fault.message}`);
    if (gunzip.readableEnded && gunzip.bytesWritten < received)
      throw new CodingError(`${received - gunzip.bytesWritten} bytes follow the end of the gzip body`);
  };
  try {
    for await (const bytes of source) {
      received += bytes.byteLength;
      await feed(bytes);
      yield* take();
      check();
    }
    // HEAD, 204 and the like have an empty body, whatever their headers declare.
    if (received === 0) return;
    gunzip.end();
    await over;
    yield* take();
    check();
  } finally {
    gunzip.destroy();
  }
}

/** Throws at the first byte, which also releases the source. An empty body may have any coding. */
// biome-ignore lint/correctness/useYield: it is iterated like the other decoders, but has nothing to yield.
async function* unreadable(source: AsyncIterable<Uint8Array>, coding: string): AsyncGenerator<Buffer> {
  for await (const bytes of source) {
    if (bytes.byteLength > 0)
      throw new CodingError(`the body has the content encoding ${coding}, which was never offered`);
  }
}
