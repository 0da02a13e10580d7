import { afterEach, describe, expect, it } from 'vitest';
import type { Running } from './testing/gateway-process.ts';
import { mp4 } from './testing/native-media.ts';
import { type FaultyRelay, startFaultyRelay } from './testing/s3/faulty-relay.ts';
import { freshBucket, isS3Missing, type TestBucket } from './testing/s3/test-bucket.ts';
import { server } from './testing/store/test-stores.ts';
import { startTaskLives, type TaskLives } from './testing/task-lives.ts';
import { testKey } from './testing/test-gateway.ts';
import { read, startRead } from './testing/wire.ts';

const slow = 120_000;

/** Two gateways on one PostgreSQL and one bucket, with a relay before the bucket. */
interface Shared {
  readonly one: Running;
  readonly two: Running;
  readonly lives: TaskLives;
  readonly bucket: TestBucket;
  readonly relay: FaultyRelay;
}

describe.skipIf(isS3Missing || server.isMissing)('two gateways with one bucket', () => {
  const ends: (() => Promise<unknown>)[] = [];
  afterEach(async () => {
    for (const end of ends.splice(0).reverse()) await end();
  });

  async function startShared(): Promise<Shared> {
    const { place, remove } = await server.fresh();
    ends.push(remove);
    const bucket = await freshBucket();
    const relay = await startFaultyRelay(bucket.place.endpoint);
    ends.push(relay.close);
    const s3 = { ...bucket.place, endpoint: relay.url, prefix: 'shared/', timeout_ms: 1_000 };
    const lives = await startTaskLives(place, { s3 });
    ends.push(lives.close);
    const start = async (): Promise<Running> => {
      const gateway = await lives.start();
      ends.push(() => {
        gateway.stop('SIGKILL');
        return gateway.exit;
      });
      if (gateway.url === '') throw new Error((await gateway.exit).errors);
      return gateway;
    };
    return { one: await start(), two: await start(), lives, bucket, relay };
  }

  /** The paths of a task's output files. */
  async function filesOf(gateway: Running, id: string): Promise<readonly string[]> {
    const { json } = await read(`${gateway.url}/api/v1/tasks/${id}`, { method: 'GET', key: testKey });
    expect(json).toMatchObject({ status: 'SUCCESS', result_urls: [expect.any(String)] });
    return json.result_urls.map((url: string) => new URL(url).pathname);
  }

  async function bytesAt(url: string, headers: Record<string, string> = {}) {
    const { statusCode, headers: head, body } = await startRead(url, { headers });
    return { status: statusCode, head, bytes: Buffer.from(await body.arrayBuffer()) };
  }

  it('serve files that either of them made, whole and in part', { timeout: slow }, async () => {
    const { one, two, lives, bucket } = await startShared();
    for (const gateway of [one, two, one, two]) expect(await lives.submit(gateway)).toBe(true);
    await lives.untilSuccess(two);
    const films: string[] = [];
    for (const id of lives.acknowledged) films.push(...(await filesOf(one, id)));
    expect((await bucket.keys()).length).toBe(films.length);
    for (const path of films.filter((name) => name.endsWith('.mp4'))) {
      for (const { url } of [one, two]) {
        const whole = await bytesAt(url + path);
        expect(whole).toMatchObject({
          status: 200,
          head: { 'content-type': 'video/mp4', 'content-length': `${mp4.length}`, 'accept-ranges': 'bytes' },
        });
        expect(whole.bytes.equals(mp4)).toBe(true);
        const part = await bytesAt(url + path, { range: 'bytes=100-199' });
        expect(part).toMatchObject({
          status: 206,
          head: { 'content-range': `bytes 100-199/${mp4.length}` },
        });
        expect(part.bytes.equals(mp4.subarray(100, 200))).toBe(true);
      }
    }
    for (const gateway of [one, two]) gateway.stop('SIGTERM');
    for (const gateway of [one, two]) {
      const { code, errors } = await gateway.exit;
      expect([code, errors]).toEqual([0, expect.not.stringContaining(bucket.place.secret_access_key)]);
    }
  });

  it('serve all else while the store is down, continue tasks afterwards, and log no secret', {
    timeout: slow,
  }, async () => {
    const { one, two, lives, bucket, relay } = await startShared();
    expect(await lives.submit(one)).toBe(true);
    await lives.untilSuccess(one);
    const [path = ''] = await filesOf(one, lives.acknowledged[0] ?? '');
    relay.spoil({ kind: 'gone' });
    for (const gateway of [one, two]) expect(await lives.submit(gateway)).toBe(true);
    // By then, the store has failed for the files of these tasks.
    await expect.poll(() => relay.spoiled(), { timeout: 20_000 }).toBeGreaterThan(8);
    for (const { url } of [one, two]) {
      const refused = await read(`${url}${path}`);
      expect(refused).toMatchObject({
        status: 500,
        json: { error: { type: 'api_error', code: 'internal_error', param: null, channel: null } },
      });
      expect((await read(`${url}/readyz`)).status).toBe(200);
    }
    relay.spoil({ kind: 'none' });
    await lives.untilSuccess(two);
    expect((await bytesAt(two.url + path)).status).toBe(200);
    for (const gateway of [one, two]) gateway.stop('SIGTERM');
    for (const gateway of [one, two]) {
      const { code, errors } = await gateway.exit;
      expect(code).toBe(0);
      expect(errors).toMatch(/the media store failed at (?:writing|looking)/);
      expect(errors).not.toContain(bucket.place.secret_access_key);
      expect(errors).not.toMatch(/AWS4|Credential=|StringToSign/);
    }
    const { tasks } = await lives.books();
    expect(tasks.map(({ status, charges }) => [status, charges.length])).toEqual(
      Array(3).fill(['SUCCESS', 1]),
    );
  });

  it('do not start if the bucket rejects their keys, and explain it in one sentence', {
    timeout: slow,
  }, async () => {
    const { place, remove } = await server.fresh();
    ends.push(remove);
    const bucket = await freshBucket();
    const lives = await startTaskLives(place, {
      s3: { ...bucket.place, secret_access_key: 'a-wrong-secret' },
    });
    ends.push(lives.close);
    const { code, errors } = await (await lives.start()).exit;
    expect(code).toBe(2);
    expect(errors).toMatch(
      /^media\.s3: the bucket gatecheck-test-\w+ at http:\S+ cannot be used: it refuses these keys[^\n]*\.\n$/,
    );
  });
});
