import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { mediaClient } from '../../testing/media-client.ts';
import {
  lastChunk,
  type RawProgram,
  type RawUpstream,
  rawAnswer,
  rawChunk,
  rawHead,
  startRawUpstream,
} from '../../testing/raw-upstream.ts';
import { callbackJobs } from '../callback-jobs/dialect.ts';
import type { UpstreamClient } from '../client.ts';
import { askImages } from '../images/dialect.ts';
import { jobs } from '../jobs/dialect.ts';

let upstream: RawUpstream;
let client: UpstreamClient;
beforeAll(async () => {
  upstream = await startRawUpstream();
  client = mediaClient();
});
beforeEach(() => {
  upstream.calls.length = 0;
});
afterAll(async () => {
  await client.close();
  await upstream.close();
});

const gone = new AbortController().signal;
const words = { fieldOf: (): null => null, largest: 'prompt' };
const call = () => ({
  baseUrl: `${upstream.url}/v1`,
  apiKey: 'upstream-key',
  body: '{}',
  isFresh: true,
  gone,
});

/** What a submission comes to in each dialect, and a good answer to it. */
const dialects = [
  {
    name: 'images',
    send: (by = client) => askImages(by, { ...call(), ...words, count: 1 }),
    good: JSON.stringify({ data: [{ url: 'https://files.example.com/a.png' }] }),
    kind: 'images',
  },
  {
    name: 'jobs',
    send: (by = client) => jobs.start(by, { ...call(), ...words, key: 'task_1' }),
    good: JSON.stringify({ id: 'job_1', status: 'queued' }),
    kind: 'started',
  },
  {
    name: 'callback-jobs',
    send: (by = client) => callbackJobs.start(by, { ...call(), ...words, key: 'task_1' }),
    good: JSON.stringify({ code: 200, msg: 'success', data: { taskId: 'n1' } }),
    kind: 'started',
  },
] as const;

const write =
  (bytes: string, end = false): RawProgram =>
  async ({ write: send, socket }) => {
    await send(bytes);
    if (end) socket.end();
  };
const chunked = (body: string): string => rawHead({ 'transfer-encoding': 'chunked' }) + body;

describe.for(dialects)('a submission in the $name dialect', ({ name, send, good, kind }) => {
  /** Nobody can tell what became of it; pictures are made again, jobs are not. */
  const isUnclear = name === 'images' ? {} : { isUnclear: true };

  it.for<readonly [string, () => RawProgram, string]>([
    [
      'a reset (T7)',
      () =>
        ({ socket }) =>
          void socket.resetAndDestroy(),
      'connection',
    ],
    [
      'an end without a byte (T8)',
      () =>
        ({ socket }) =>
          void socket.end(),
      'connection',
    ],
    ['half of its body (T14)', () => write(rawHead({ 'content-length': '500' }) + good, true), 'connection'],
    [
      'bytes behind its end (T15)',
      () => write(`${rawHead({ 'content-length': String(good.length) }) + good}HTTP/1.1 200 OK\r\n`),
      'unusable',
    ],
    ['an illegal chunk (T16)', () => write(chunked('zz\r\n')), 'unusable'],
    ['no last chunk (T16)', () => write(chunked(rawChunk(good)), true), 'connection'],
    ['bytes that are no HTTP (T17)', () => write('garbage\r\n\r\n', true), 'unusable'],
    ['a head of 64 KiB (T18)', () => write(rawHead({ x: 'x'.repeat(64 * 1024) }) + good), 'unusable'],
    ['a compressed body that ends early (P3)', () => cutGzip(good), 'unusable'],
  ])('fails by %s', async ([, program, reason]) => {
    upstream.fallback = program();
    expect(await send()).toMatchObject({ kind: 'failure', reason, ...isUnclear });
    expect(upstream.calls).toHaveLength(1);
  });

  it('fails by silence (T6)', async () => {
    const impatient = mediaClient(50);
    upstream.fallback = () => {};
    expect(await send(impatient)).toMatchObject({ kind: 'failure', reason: 'timeout', ...isUnclear });
    await impatient.close();
  });

  it('follows no redirect (T19)', async () => {
    upstream.fallback = write(
      `HTTP/1.1 307 Moved\r\nlocation: ${upstream.url}/other\r\ncontent-length: 0\r\n\r\n`,
    );
    expect(await send()).toMatchObject({ kind: 'failure', reason: 'unusable', status: 307 });
    expect(upstream.calls).toHaveLength(1);
  });

  it('passes over what comes before the answer, and does not wait for the end of the connection (T10, T19)', async () => {
    const early = 'HTTP/1.1 103 Early Hints\r\nlink: <a>\r\n\r\n';
    upstream.fallback = write(early + rawHead({ 'content-length': String(good.length) }) + good);
    expect(await send()).toMatchObject({ kind });
    upstream.fallback = write(rawHead({ connection: 'close' }) + good, true);
    expect(await send()).toMatchObject({ kind });
    upstream.fallback = write(chunked(rawChunk(good) + lastChunk));
    expect(await send()).toMatchObject({ kind });
    upstream.fallback = rawAnswer(`\uFEFF${good}`, { 'content-type': 'text/plain' });
    expect(await send()).toMatchObject({ kind });
  });
});

function cutGzip(text: string): RawProgram {
  const packed = gzipSync(text);
  const part = packed.subarray(0, packed.length - 12);
  return async ({ write: send, socket }) => {
    await send(rawHead({ 'content-encoding': 'gzip', 'content-length': String(part.length) }));
    await send(part);
    socket.end();
  };
}
