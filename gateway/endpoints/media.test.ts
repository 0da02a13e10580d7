import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { RealClock } from '../clock.ts';
import { createMediaFiles } from '../media/create-media-files.ts';
import type { KeptFile, MediaFiles } from '../media/media-files.ts';
import { startTestGateway, type TestGateway, testConfig, testKey } from '../testing/test-gateway.ts';
import { rawExchange, read, startRead } from '../testing/wire.ts';

const filmBytes = randomBytes(300_000);

let dir: string;
let files: MediaFiles;
let film: KeptFile;
let lyrics: KeptFile;
let gateway: TestGateway;
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'media-'));
  const randomId = () => randomBytes(18).toString('base64url');
  files = createMediaFiles({ dir, clock: new RealClock(), randomId });
  film = await files.keep('mp4', filmBytes);
  lyrics = await files.keep('lrc', Buffer.from('[00:01.00] La mer\n'));
  gateway = await startTestGateway(testConfig('http://127.0.0.1:1'), { mediaFiles: files });
});
afterAll(async () => {
  await gateway.close();
  await rm(dir, { recursive: true });
});

const link = (file: KeptFile): string => `${gateway.url}/media/${file.name}`;
async function part(range: string, more: Record<string, string> = {}) {
  const { statusCode, headers, body } = await startRead(link(film), { headers: { range, ...more } });
  return { status: statusCode, headers, bytes: Buffer.from(await body.arrayBuffer()) };
}

describe('a kept file', () => {
  it('is served by its link without a key, whole, with type and length', async () => {
    expect(new URL(link(film)).origin).toBe(gateway.url);
    const { statusCode, headers, body } = await startRead(link(film));
    expect(statusCode).toBe(200);
    expect(headers).toMatchObject({
      'content-type': 'video/mp4',
      'content-length': '300000',
      'accept-ranges': 'bytes',
      'x-request-id': expect.stringMatching(/^req_/),
    });
    expect(Buffer.from(await body.arrayBuffer()).equals(filmBytes)).toBe(true);
    expect(await read(link(lyrics), { key: testKey })).toMatchObject({
      status: 200,
      text: '[00:01.00] La mer\n',
      headers: { 'content-type': 'text/plain; charset=utf-8' },
    });
  });

  it.for([
    ['bytes=0-0', 0, 0],
    ['bytes=100-199', 100, 199],
    ['bytes=299999-', 299_999, 299_999],
    ['bytes=70000-', 70_000, 299_999],
    ['bytes=-10', 299_990, 299_999],
    ['bytes=-999999', 0, 299_999],
    ['bytes=5-999999999', 5, 299_999],
    ['BYTES= 5-9', 5, 9],
  ] as const)('is served in part for the range %s', async ([range, first, last]) => {
    const answer = await part(range);
    expect(answer).toMatchObject({
      status: 206,
      headers: { 'content-range': `bytes ${first}-${last}/300000`, 'content-length': `${last - first + 1}` },
    });
    expect(answer.bytes.equals(filmBytes.subarray(first, last + 1))).toBe(true);
  });

  it.for(['bytes=9-5', 'bytes=0-1,5-6', 'bytes=-', 'bytes=a-b', 'lines=1-2', 'bytes=1-2-3', ''])(
    'is served whole for an invalid range: %s',
    async (range) => {
      expect(await part(range)).toMatchObject({ status: 200, bytes: { length: 300_000 } });
    },
  );

  it('is served whole when If-Range names another version', async () => {
    expect((await part('bytes=0-5', { 'if-range': '"old"' })).status).toBe(200);
  });

  it.for(['bytes=300000-', 'bytes=300000-300005', 'bytes=-0'])(
    'answers 416 for the range %s',
    async (range) => {
      const answer = await part(range);
      expect(answer).toMatchObject({ status: 416, headers: { 'content-range': 'bytes */300000' } });
      expect(JSON.parse(answer.bytes.toString())).toMatchObject({
        error: { code: 'invalid_param', param: 'Range' },
      });
    },
  );

  it.for([
    '/media/nobody-keeps-this0.png',
    '/media/',
    '/media/x',
    '/media/..%2f..%2fetc%2fpasswd',
    '/media/../package.json',
    '/media/%00.png',
  ])('is not found at %s', async (path) => {
    const answer = await rawExchange(
      gateway.port,
      `GET ${path} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n`,
    );
    expect(answer).toMatch(/^HTTP\/1\.1 404 /);
    expect(JSON.parse(answer.slice(answer.indexOf('\r\n\r\n')))).toMatchObject({
      error: { type: 'invalid_request_error', code: 'not_found', channel: null, param: null },
    });
  });

  it.for(['POST', 'PUT', 'DELETE', 'HEAD'] as const)('rejects the method %s', async (method) => {
    expect(await read(link(film), { method })).toMatchObject({ status: 405, headers: { allow: 'GET' } });
  });

  it('is gone when it was removed', async () => {
    const short = await files.keep('txt', Buffer.from('words'));
    await files.remove(short.name);
    expect((await read(link(short))).status).toBe(404);
  });

  it('is served without a slot, and its name is not logged', async () => {
    const secret = film.name.slice(0, 20);
    await read(link(film));
    await expect.poll(() => gateway.logLines.some(({ route }) => route === '/media/:file')).toBe(true);
    expect(JSON.stringify(gateway.logLines)).not.toContain(secret);
    expect(gateway.logLines.every(({ key_id }) => key_id === null)).toBe(true);
  });

  it('is closed when the client leaves before its end', async () => {
    const large = await files.keep('mp4', Buffer.alloc(32 * 1024 * 1024));
    const before = gateway.logLines.length;
    const leave = new AbortController();
    const { body } = await startRead(link(large), { signal: leave.signal });
    body.once('error', () => {});
    await once(body, 'readable');
    expect(gateway.logLines.length).toBe(before);
    leave.abort();
    await expect.poll(() => gateway.logLines.length).toBe(before + 1);
  });
});
