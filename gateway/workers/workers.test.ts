import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { completion, type FakeUpstream, startFakeUpstream } from '../testing/fake-upstream.ts';
import { type Running, runGateway } from '../testing/gateway-process.ts';
import { type FreshPlace, type StorePlace, server } from '../testing/store/test-stores.ts';
import { testPrices } from '../testing/stored-gateway.ts';
import { hookToken, testConfig, testKey } from '../testing/test-gateway.ts';
import { type Answer, read } from '../testing/wire.ts';

const adminToken = 'admin-token-of-thirty-two-characters-1';
let upstream: FakeUpstream;
let directory: string;
beforeAll(async () => {
  upstream = await startFakeUpstream();
  upstream.fallback = completion('Hello');
  directory = mkdtempSync(join(tmpdir(), 'gateway-workers-'));
});
afterAll(async () => {
  await upstream.close();
  rmSync(directory, { recursive: true });
});

function writeConfig(place: StorePlace, more: object = {}): string {
  const { chat_models, accounts, channels } = testConfig(upstream.url);
  const path = join(directory, 'gateway.yaml');
  const content = {
    ...{ listen: {}, workers: 2, key_pepper: 'a pepper for tests', chat_models, accounts, channels },
    store: 'url' in place ? { url: place.url } : { data_dir: place.dataDir },
    ...{ media: { dir: join(directory, 'media') }, prices: testPrices, admin: { token: adminToken } },
    test: { clock: true, store: true, token: hookToken },
  };
  writeFileSync(path, stringify({ ...content, ...more }));
  return path;
}

it('are rejected with an embedded store, and with slots in memory', async () => {
  const dataDir = join(directory, 'data');
  const embedded = await runGateway(['--config', writeConfig({ dataDir })], { DATABASE_URL: '' });
  expect(await embedded.exit).toMatchObject({
    code: 2,
    errors: expect.stringContaining('workers is 2, but an embedded store belongs to one process'),
  });
  const url = 'postgres://nobody@127.0.0.1:1/nothing';
  const apart = await runGateway(['--config', writeConfig({ url }, { slots: 'memory' })]);
  expect(await apart.exit).toMatchObject({
    code: 2,
    errors: expect.stringContaining('with workers it must be database'),
  });
});

describe.skipIf(server.isMissing)('two workers on a server', () => {
  let place: FreshPlace;
  let gateway: Running;
  beforeAll(async () => {
    place = await server.fresh();
    gateway = await runGateway(['--config', writeConfig(place.place)]);
  }, 60_000);
  afterAll(async () => {
    gateway.stop('SIGKILL');
    await gateway.exit;
    await place.remove();
  });

  /** A new connection per call, so that the workers get calls in turn. */
  const once = { connection: 'close' };
  const chat = (): Promise<Answer> =>
    read(`${gateway.url}/api/v1/chat/completions`, {
      method: 'POST',
      key: testKey,
      headers: once,
      body: { model: 'delta-3', messages: [{ role: 'user', content: 'hi' }] },
    });
  const clock = (advance?: number): Promise<Answer> =>
    read(`${gateway.url}/hooks/clock`, {
      key: hookToken,
      headers: once,
      ...(advance !== undefined && { method: 'POST', body: { advance_ms: advance } }),
    });
  const metric = async (name: string): Promise<number> => {
    const { text } = await read(`${gateway.url}/metrics`, { key: adminToken, headers: once });
    const lines = text.split('\n').filter((line) => line.startsWith(name));
    return lines.reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0);
  };
  const served = (): Promise<number> =>
    metric('gatecheck_requests_total{route="/api/v1/chat/completions",code="ok"}');
  const workerPids = (): number[] =>
    readFileSync(`/proc/${gateway.pid}/task/${gateway.pid}/children`, 'utf8')
      .split(' ')
      .filter((pid) => pid !== '')
      .map(Number);

  it('serve in turns, add up their counts and share one clock', async () => {
    for (let call = 0; call < 10; call += 1) expect((await chat()).status).toBe(200);
    expect(await served()).toBe(10);
    expect(await metric('nodejs_version_info')).toBe(1);
    const before = (await clock()).json.now_ms;
    await clock(3_600_000);
    for (let look = 0; look < 4; look += 1)
      expect((await clock()).json.now_ms - before).toBeGreaterThanOrEqual(3_600_000);
  });

  it('both lose the database through the test hook, and both recover', async () => {
    const hook = (stopped: boolean): Promise<Answer> =>
      read(`${gateway.url}/hooks/store`, { method: 'POST', key: hookToken, body: { stopped } });
    await hook(true);
    const codes = await Promise.all(Array.from({ length: 6 }, async () => (await chat()).status));
    expect(codes).toEqual([500, 500, 500, 500, 500, 500]);
    await hook(false);
    for (let call = 0; call < 4; call += 1) expect((await chat()).status).toBe(200);
  });

  it('restart when killed, and keep counts and clock', {
    timeout: 60_000,
  }, async () => {
    const counted = await served();
    const [victim = 0, other] = workerPids();
    process.kill(victim, 'SIGKILL');
    await expect.poll(() => workerPids().filter((pid) => pid !== victim).length, { timeout: 20_000 }).toBe(2);
    expect(workerPids()).toContain(other);
    await expect.poll(() => metric('gatecheck_worker_restarts_total')).toBe(1);
    for (let call = 0; call < 4; call += 1) expect((await chat()).status).toBe(200);
    expect(await served()).toBe(counted + 4);
    const shown = async (): Promise<number> => (await clock()).json.now_ms - Date.now();
    await expect
      .poll(async () => Math.min(await shown(), await shown(), await shown()), { timeout: 20_000 })
      .toBeGreaterThan(3_500_000);
  });

  it('complete requests in flight on SIGTERM, however many processes receive it', async () => {
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    const seen = upstream.seen.length;
    upstream.fallback = async (response, request) => {
      await released;
      await completion('At last')(response, request);
    };
    const calls = [chat(), chat()];
    await upstream.waitFor(seen + 2);
    for (const pid of workerPids()) process.kill(pid, 'SIGTERM');
    gateway.stop('SIGTERM');
    release();
    for (const answer of await Promise.all(calls)) expect(answer.status).toBe(200);
    expect((await gateway.exit).code).toBe(0);
  });
});
