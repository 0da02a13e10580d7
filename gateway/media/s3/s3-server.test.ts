import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { RealClock, TestClock } from '../../clock.ts';
import { media } from '../../config/media.ts';
import { createRandomIds } from '../../random-ids.ts';
import { type FaultyRelay, startFaultyRelay } from '../../testing/s3/faulty-relay.ts';
import { freshBucket, isS3Missing, type TestBucket } from '../../testing/s3/test-bucket.ts';
import type { MediaFiles } from '../media-files.ts';
import { type Bucket, openBucket } from './bucket.ts';
import { S3Failure } from './s3-failure.ts';
import { createS3Files } from './s3-files.ts';
import { whyUnusable } from './why-unusable.ts';

const hour = 3_600_000;
/** Timeout for a store that does not answer. Under load, a healthy one may take longer. */
const hastyMs = 500;
/** Extra time for loaded machines, beyond the expected waits. */
const slackMs = 10_000;
const mib = 1024 * 1024;

/** Uses the server that `.ci/s3` starts, through a relay that can inject faults. */
describe.skipIf(isS3Missing)('files in a bucket', { timeout: 60_000 }, () => {
  let store: TestBucket;
  let relay: FaultyRelay;
  let bucket: Bucket;
  let files: MediaFiles;
  const clock = new TestClock();
  const randomId = createRandomIds();

  /** The settings for the store behind the relay, with some replaced. */
  const settings = (changes: Record<string, unknown> = {}) => {
    const { s3 } = media.parse({
      s3: { ...store.place, endpoint: relay.url, prefix: 'tests/', ...changes },
    });
    if (s3 === undefined) throw new Error('no settings');
    return s3;
  };
  const keysOf = ({ access_key_id: accessKeyId = '', secret_access_key: secretAccessKey = '' }) => ({
    accessKeyId,
    secretAccessKey,
  });
  const why = async (changes: Record<string, unknown>): Promise<string | null> => {
    const config = settings(changes);
    const tried = openBucket(config, keysOf(config), new RealClock());
    const prefix = config.prefix ?? '';
    try {
      return await whyUnusable(createS3Files({ bucket: tried, prefix, clock, randomId }), tried, config);
    } finally {
      await tried.close();
    }
  };

  beforeAll(async () => {
    store = await freshBucket();
    relay = await startFaultyRelay(store.place.endpoint);
    bucket = openBucket(settings(), keysOf(settings()), new RealClock());
    files = createS3Files({ bucket, prefix: 'tests/', clock, randomId });
  });
  afterEach(() => relay.spoil({ kind: 'none' }));
  afterAll(async () => {
    await bucket.close();
    await relay.close();
  });

  /** A stream of these bytes in chunks as a network has them. */
  const streamOf = (bytes: Buffer): Readable =>
    Readable.from(
      (function* () {
        for (let at = 0; at < bytes.length; at += 60_000) yield bytes.subarray(at, at + 60_000);
      })(),
    );
  const wholeOf = async (name: string): Promise<Buffer | null> => {
    const opened = await files.open(name);
    if (opened === null) return null;
    const pieces: Buffer[] = [];
    for (let at = 0; at < opened.bytes; at += 65_536) pieces.push(await opened.read(at, 65_536));
    await opened.close();
    return Buffer.concat(pieces);
  };

  it.for([
    ['nothing', 0],
    ['a few bytes', 5],
    ['exactly a part', 5 * mib],
    ['a part and a byte', 5 * mib + 1],
    ['three parts', 12 * mib],
  ] as const)('are there as they were streamed: %s', async ([, length]) => {
    const bytes = randomBytes(length);
    const kept = await files.keep('mp4', streamOf(bytes));
    expect(kept).toEqual({
      name: expect.stringMatching(/^[\w-]+\.mp4$/),
      contentType: 'video/mp4',
      bytes: length,
    });
    expect(await files.open(kept.name)).toMatchObject(kept);
    expect((await wholeOf(kept.name))?.equals(bytes)).toBe(true);
    const object = await store.object(`tests/${kept.name}`);
    expect([object.contentType, object.bytes.equals(bytes)]).toEqual(['video/mp4', true]);
    expect(await store.uploads()).toBe(0);
  });

  it('can be read in any part, forwards and backwards', async () => {
    const bytes = randomBytes(3 * mib);
    const { name } = await files.keep('mp4', bytes);
    const opened = await files.open(name);
    for (const [at, length] of [
      [2 * mib, 16],
      [0, 1],
      [100, 2 * mib],
      [bytes.length - 10, 100],
      [bytes.length, 10],
    ] as const) {
      expect((await opened?.read(at, length))?.equals(bytes.subarray(at, at + length))).toBe(true);
    }
  });

  it('are not stored when their content breaks off, before or after the first part', async () => {
    const before = await store.keys();
    for (const length of [10, 7 * mib]) {
      const broken = Readable.from(
        (async function* () {
          yield randomBytes(length);
          throw new Error('broken off');
        })(),
      );
      await expect(files.keep('mp4', broken)).rejects.toThrow('broken off');
    }
    expect(await store.keys()).toEqual(before);
    expect(await store.uploads()).toBe(0);
  });

  it('can be removed twice', async () => {
    const { name } = await files.keep('txt', Buffer.from('words'));
    await files.remove(name);
    await files.remove(name);
    expect(await files.open(name)).toBeNull();
  });

  it.for([
    '',
    '..',
    'a.png',
    '../other/secret-of-mine-0.png',
    'secret-of-mine-0.exe',
    'secret-of-mine-0.png?uploads',
  ])('are not opened or removed by the name %j', async (name) => {
    await store.write('other/secret-of-mine-0.png', Buffer.from('x'));
    expect(await files.open(name)).toBeNull();
    await files.remove(name);
    expect(await store.keys()).toContain('other/secret-of-mine-0.png');
  });

  it('are removed by their age on the gateway clock, along with uploads left by a crash, and nothing else', async () => {
    const old = await files.keep('png', Buffer.from('old'));
    const left = await bucket.beginUpload(`tests/${old.name.replace('png', 'mp4')}`, 'video/mp4');
    await left.add(Buffer.from('half'));
    const others = [
      'tests/of-somebody-else',
      'tests/copied-from-a-directory.png',
      `tests2/${old.name}`,
      old.name,
    ];
    for (const key of others) await store.write(key, Buffer.from('x'));
    expect(await store.uploads()).toBe(1);
    await clock.advance(hour);
    const young = await files.keep('png', Buffer.from('young'));
    await clock.advance(hour / 2);
    await files.removeOlderThan(hour);
    const keys = await store.keys();
    expect(keys).toEqual(expect.arrayContaining([...others, `tests/${young.name}`]));
    expect(keys).not.toContain(`tests/${old.name}`);
    expect(await store.uploads()).toBe(0);
    expect(await wholeOf('copied-from-a-directory.png')).toEqual(Buffer.from('x'));
  });

  it('are stored and read even if the connection is cut once or twice', async () => {
    const bytes = randomBytes(6 * mib);
    for (const times of [1, 2]) {
      const before = relay.spoiled();
      relay.spoil({ kind: 'cut', of: 'question', afterBytes: 200_000 }, times);
      const { name } = await files.keep('mp4', streamOf(bytes));
      relay.spoil({ kind: 'cut', of: 'answer', afterBytes: 100_000 }, times);
      expect((await wholeOf(name))?.equals(bytes)).toBe(true);
      expect(relay.spoiled() - before).toBe(2 * times);
    }
  });

  it.for([
    ['is gone', { kind: 'gone' }, slackMs],
    ['does not answer', { kind: 'silent' }, 3 * hastyMs + slackMs],
    ['is cut each time', { kind: 'cut', of: 'answer', afterBytes: 20 }, slackMs],
  ] as const)(
    'fail in bounded time when the store %s, and leave nothing behind',
    async ([, fault, withinMs]) => {
      const config = settings({ timeout_ms: hastyMs });
      const hasty = openBucket(config, keysOf(config), new RealClock());
      const hastyFiles = createS3Files({ bucket: hasty, prefix: 'tests/', clock, randomId });
      const { name } = await files.keep('txt', Buffer.from('words'));
      const before = await store.keys();
      relay.spoil(fault);
      const ways = {
        keep: () => hastyFiles.keep('mp4', streamOf(randomBytes(6 * mib))),
        open: () => hastyFiles.open(name),
        remove: () => hastyFiles.remove('0mia0hahz_removed-of-nobody00.png'),
        removeOlderThan: () => hastyFiles.removeOlderThan(0),
      };
      for (const [way, act] of Object.entries(ways)) {
        const began = performance.now();
        const error = await act().then(
          () => null,
          (thrown: unknown) => thrown,
        );
        expect(error, way).toBeInstanceOf(S3Failure);
        expect(String(error), way).toMatch(/^S3Failure: the media store failed at [a-z ]+: \w+$/);
        expect(performance.now() - began, way).toBeLessThan(withinMs);
      }
      relay.spoil({ kind: 'none' });
      await hasty.close();
      expect(await store.keys()).toEqual(before);
      expect(String(await wholeOf(name))).toBe('words');
    },
  );

  it('name no secret in an error, whatever the store answers', async () => {
    const config = settings();
    const secretAccessKey = 'a-wrong-secret-of-mine';
    const wrong = openBucket(config, { ...keysOf(config), secretAccessKey }, new RealClock());
    const refused = await wrong.list('', null).catch((error: unknown) => error);
    const held = await wrong.put('tests/x', Buffer.from('x'), 'text/plain').catch((error: unknown) => error);
    await wrong.close();
    for (const error of [refused, held]) {
      expect(error).toMatchObject({ name: 'S3Failure', status: 403, code: 'SignatureDoesNotMatch' });
      const all = `${(error as Error).stack}${JSON.stringify(error, Object.getOwnPropertyNames(error))}`;
      expect(all).not.toMatch(/a-wrong-secret|AWS4|Credential|StringToSign/);
      expect(all).not.toContain(config.access_key_id);
    }
  });

  it('need a bucket that allows listing, writing, reading and removing; the error names the cause', async () => {
    expect(await why({})).toBeNull();
    expect(await why({ prefix: undefined })).toBeNull();
    expect((await store.keys()).filter((key) => key.startsWith('0'))).toEqual([
      expect.stringMatching(/\.png$/),
    ]);
    expect(await why({ bucket: 'there-is-none' })).toMatch(
      /^media\.s3: the bucket there-is-none at http:\/\/127\.0\.0\.1:\d+ cannot be used: there is no such bucket \(404 NoSuchBucket\)\.$/,
    );
    expect(await why({ secret_access_key: 'a-wrong-secret' })).toMatch(
      /it refuses these keys.*\(403 Signature/,
    );
    expect(await why({ access_key_id: 'nobody' })).toMatch(/it refuses these keys.*\(403 /);
    expect(await why({ region: 'eu-central-1' })).toMatch(/it is not in the region eu-central-1 \(400 Auth/);
    relay.spoil({ kind: 'silent' });
    expect(await why({ timeout_ms: hastyMs })).toMatch(/it does not answer in time\.$/);
    relay.spoil({ kind: 'gone' });
    expect(await why({})).toMatch(/it cannot be reached \([A-Z_]+\)\.$/);
  });
});
