import { Readable } from 'node:stream';
import { expect, it } from 'vitest';
import { atMost } from './at-most.ts';
import type { Bucket } from './bucket.ts';
import { upload } from './upload.ts';

const mib = 1024 * 1024;
const object = { key: 'k', contentType: 'video/mp4' };
const unused = async (): Promise<never> => {
  throw new Error('not to be called');
};

/** A bucket that stores parts by calling `take`. */
function slowBucket(take: (bytes: Buffer) => Promise<void>): Bucket & { abandoned: number } {
  const bucket = {
    abandoned: 0,
    put: (_: string, bytes: Buffer) => take(bytes),
    beginUpload: async (key: string) => ({ key, id: 'u', add: take, complete: async () => {} }),
    abandon: async () => {
      bucket.abandoned += 1;
    },
    lengthOf: unused,
    read: unused,
    remove: unused,
    list: unused,
    openUploads: unused,
    close: unused,
  };
  return bucket;
}

it('reads no more of a stream than one part ahead of the store', async () => {
  let made = 0;
  let stored = 0;
  let furthest = 0;
  const content = Readable.from(
    (function* () {
      for (; made < 60 * mib; made += mib / 4) {
        furthest = Math.max(furthest, made - stored);
        yield Buffer.alloc(mib / 4, made % 251);
      }
    })(),
    { highWaterMark: 1 },
  );
  const bucket = slowBucket(async (bytes) => {
    for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setImmediate(resolve));
    stored += bytes.length;
  });
  expect(await upload(bucket, object, content)).toBe(60 * mib);
  expect(stored).toBe(60 * mib);
  expect(furthest).toBeLessThanOrEqual(6 * mib);
});

it('abandons what it began, and ends the stream, when the store fails', async () => {
  const content = Readable.from(Array.from({ length: 40 }, () => Buffer.alloc(mib)));
  let parts = 0;
  const bucket = slowBucket(async () => {
    parts += 1;
    if (parts === 2) throw new Error('full');
  });
  await expect(upload(bucket, object, content)).rejects.toThrow('full');
  expect([bucket.abandoned, content.destroyed]).toEqual([1, true]);
});

it('runs at most two functions at once, in order, even when one fails', async () => {
  const limited = atMost(2);
  const begun: number[] = [];
  let running = 0;
  const runs = Array.from({ length: 9 }, (_, at) =>
    limited(async () => {
      begun.push(at);
      running += 1;
      expect(running).toBeLessThanOrEqual(2);
      await new Promise((resolve) => setImmediate(resolve));
      running -= 1;
      if (at % 3 === 0) throw new Error(`no ${at}`);
      return at;
    }),
  );
  const ends = await Promise.allSettled(runs);
  expect(ends.map(({ status }) => status === 'fulfilled')).toEqual(runs.map((_, at) => at % 3 !== 0));
  expect(begun).toEqual(runs.map((_, at) => at));
});
