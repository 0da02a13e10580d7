import type { Clock } from '../../clock.ts';
import { typeOf } from '../file-name.ts';
import type { MediaFiles } from '../media-files.ts';
import { atMost } from './at-most.ts';
import type { Bucket } from './bucket.ts';
import { datedName, timeIn } from './dated-name.ts';
import { createReadAhead } from './read-ahead.ts';
import { upload } from './upload.ts';

export interface S3FilesParts {
  readonly bucket: Bucket;
  /** The prefix of all keys; may be empty. */
  readonly prefix: string;
  /** The clock for the age of files. */
  readonly clock: Pick<Clock, 'now'>;
  /** At least 128 random bits in URL-safe characters. */
  readonly randomId: () => string;
}

/** Streams that are stored at the same time: each has a part in memory. */
const uploadsAtOnce = 16;
/** Objects that are removed at the same time. */
const removedAtOnce = 32;

/** Stores files as objects of a bucket, which any process with the same bucket can read. */
export function createS3Files({ bucket, prefix, clock, randomId }: S3FilesParts): MediaFiles {
  const limited = atMost(uploadsAtOnce);
  return {
    keep: async (extension, content) => {
      const name = datedName(clock.now(), randomId(), extension);
      const contentType = typeOf(name);
      if (contentType === null) throw new Error(`no media file can be named ${name}`);
      const store = () => upload(bucket, { key: prefix + name, contentType }, content);
      const bytes = await (Buffer.isBuffer(content) ? store() : limited(store));
      return { name, contentType, bytes };
    },
    open: async (name) => {
      const contentType = typeOf(name);
      if (contentType === null) return null;
      const key = prefix + name;
      const bytes = await bucket.lengthOf(key);
      if (bytes === null) return null;
      const read = createReadAhead(bytes, (at, length) => bucket.read(key, at, length));
      return { name, contentType, bytes, read, close: async () => {} };
    },
    remove: async (name) => {
      if (typeOf(name) !== null) await bucket.remove(prefix + name);
    },
    removeOlderThan: async (ms) => {
      const isOld = (key: string): boolean | null => {
        const name = key.slice(prefix.length);
        const at = typeOf(name) === null ? null : timeIn(name);
        return at === null ? null : at < clock.now() - ms;
      };
      await removeOldObjects(bucket, prefix, isOld);
      for (const left of await bucket.openUploads(prefix)) {
        if (isOld(left.key) === true) await bucket.abandon(left);
      }
    },
  };
}

/** Removes old objects. The oldest are listed first, so it stops at the first young one. */
async function removeOldObjects(
  bucket: Bucket,
  prefix: string,
  isOld: (key: string) => boolean | null,
): Promise<void> {
  for (let page: string | null = null; ; ) {
    const { keys, next } = await bucket.list(prefix, page);
    const old = keys.filter((key) => isOld(key) === true);
    for (let at = 0; at < old.length; at += removedAtOnce) {
      await Promise.all(old.slice(at, at + removedAtOnce).map((key) => bucket.remove(key)));
    }
    if (next === null || keys.some((key) => isOld(key) === false)) return;
    page = next;
  }
}
