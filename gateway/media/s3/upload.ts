import type { Readable } from 'node:stream';
import type { Bucket, Upload } from './bucket.ts';

/** The smallest that stores accept of a part that is not the last. */
const partBytes = 5 * 1024 * 1024;

export interface NewObject {
  readonly key: string;
  readonly contentType: string;
}

/**
 * Stores what comes as one object, and resolves with its length. Of a stream no more than a part is in memory: it goes on when the
 * store has the part. Rejects with the stream's own error where that fails, and nothing is stored then.
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
    // What stays there is removed with old files.
    if (begun !== null) await bucket.abandon(begun).catch(() => {});
    throw error;
  }
}

interface Part {
  /** Valid until the next part is asked for. */
  readonly bytes: Buffer;
  readonly isLast: boolean;
}

/** Full parts, and a last one that may be empty only when it is the first. */
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
