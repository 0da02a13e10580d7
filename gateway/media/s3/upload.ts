import type { Readable } from 'node:stream';
import type { Bucket, Upload } from './bucket.ts';

/** The minimum size of a part that stores accept, except for the last part. */
const partBytes = 5 * 1024 * 1024;

export interface NewObject {
  readonly key: string;
  readonly contentType: string;
}

/**
 * Stores the content as one object, and resolves with its length. At most one part of a stream is in memory: reading
 * continues when the store has the part. If the stream fails, rejects with its error and stores nothing.
 */
export async function upload(bucket: Bucket, object: NewObject, content: Buffer | Readable): Promise<number> {
  const { key, contentType } = object;
  if (Buffer.isBuffer(content)) {
    await bucket.put(key, content, contentType);
    return content.length;
  }
  let begun: Upload | null = null;
  let sent = 0;
  try {
    for await (const { bytes, isLast } of partsOf(content)) {
      sent += bytes.length;
      if (begun === null && isLast) {
        await bucket.put(key, bytes, contentType);
        return sent;
      }
      begun ??= await bucket.beginUpload(key, contentType);
      await begun.add(bytes);
    }
    await begun?.complete();
    return sent;
  } catch (error) {
    // An upload that cannot be abandoned now is removed later with old files.
    if (begun !== null) await bucket.abandon(begun).catch(() => {});
    throw error;
  }
}

interface Part {
  /** Valid until the next part is asked for. */
  readonly bytes: Buffer;
  readonly isLast: boolean;
}

/** Yields full parts and a last one, which is empty only for an empty stream. */
async function* partsOf(content: Readable): AsyncGenerator<Part, void> {
  const part = Buffer.allocUnsafeSlow(partBytes);
  let filled = 0;
  for await (const chunk of content) {
    let rest: Buffer = chunk;
    while (rest.length > 0) {
      if (filled === partBytes) {
        yield { bytes: part, isLast: false };
        filled = 0;
      }
      const taken = rest.copy(part, filled);
      filled += taken;
      rest = rest.subarray(taken);
    }
  }
  yield { bytes: part.subarray(0, filled), isLast: true };
}
