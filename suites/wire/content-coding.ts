import { createGunzip } from 'node:zlib';

/** A body that cannot be read as its Content-Encoding says. The message is a sentence for a report. */
export class CodingError extends Error {
  override readonly name = 'CodingError';
}

/**
 * The bytes that a body stands for, piece by piece as they come: whatever has arrived of a compressed stream is decoded
 * before the next piece is waited for, so that a stream is still seen as it was sent.
 * @throws CodingError when the body is broken, cut short or followed by something, or in a coding that was never offered.
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
  /** Waits until the decoder has worked it off, or has come to its own end before. */
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
    // A body without a byte is what HEAD, 204 and the like have, whatever their headers say.
    if (received === 0) return;
    gunzip.end();
    await over;
    yield* take();
    check();
  } finally {
    gunzip.destroy();
  }
}

/** Throws at the first byte, which also lets go of the source; nobody minds how no bytes are encoded. */
// biome-ignore lint/correctness/useYield: it is read like the others, and there is nothing that it could hand out.
async function* unreadable(source: AsyncIterable<Uint8Array>, coding: string): AsyncGenerator<Buffer> {
  for await (const bytes of source) {
    if (bytes.byteLength > 0)
      throw new CodingError(`the body has the content encoding ${coding}, which was never offered`);
  }
}
