import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { type FakeUpstream, startFakeUpstream } from './testing/fake-upstream.ts';
import { type Running, runGateway } from './testing/gateway-process.ts';
import { mediaBody } from './testing/media-bodies.ts';
import { playJobs } from './testing/native-jobs.ts';
import { freshCluster } from './testing/store/test-stores.ts';
import { adminToken, testConfig, testKey } from './testing/test-gateway.ts';
import { read } from './testing/wire.ts';

/** Failures that no caller sees are logged and counted. */

const directory = mkdtempSync(join(tmpdir(), 'gateway-silences-'));
let upstream: FakeUpstream;
let place: Awaited<ReturnType<typeof freshCluster>>;
let gateway: Running | null = null;
/** Resolves after the first poll of a job, when the job is on record. */
const polled = Promise.withResolvers<void>();
beforeAll(async () => {
  upstream = await startFakeUpstream();
  playJobs(upstream);
  const { answer } = upstream;
  upstream.answer = (response, request) => {
    polled.resolve();
    return answer(response, request);
  };
  place = await freshCluster();
});
afterEach(() => gateway?.stop('SIGKILL'));
afterAll(async () => {
  await upstream.close();
  await place.remove();
  rmSync(directory, { recursive: true });
});

async function start(apiKey: string, more: object = {}, descriptors: number | null = null): Promise<Running> {
  const config = {
    listen: {},
    store: { data_dir: place.place.dataDir },
    key_pepper: 'a pepper for tests',
    admin: { token: adminToken },
    tasks: { poll_ms: 50 },
    accounts: testConfig(upstream.url).accounts,
    channels: [
      {
        id: 'video',
        dialect: 'jobs',
        base_url: `${upstream.url}/v1`,
        api_key: apiKey,
        models: { vidB2: 'native-vidB2' },
      },
    ],
    ...more,
  };
  const path = join(directory, 'gateway.yaml');
  writeFileSync(path, stringify(config));
  gateway = await runGateway(['--config', path], {}, descriptors);
  if (gateway.url === '') throw new Error((await gateway.exit).errors);
  return gateway;
}

const counted = async ({ url }: Running): Promise<string> =>
  (await read(`${url}/metrics`, { key: adminToken })).text;

/** Stops the gateway and returns its log. */
async function logOf(running: Running): Promise<{ msg: string }[]> {
  running.stop('SIGTERM');
  const { errors } = await running.exit;
  return errors
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
}

it('logs a changed upstream key while jobs are running', { timeout: 180_000 }, async () => {
  const first = await start('the first key');
  const body = mediaBody('vidB2');
  await read(`${first.url}/api/v1/tasks`, { method: 'POST', key: testKey, body });
  await polled.promise;
  const [before, again] = [await logOf(first), await start('the first key')];
  const [same, other] = [await logOf(again), await start('another key')];
  const metrics = await counted(other);
  const line = expect.objectContaining({ channel: 'video', jobs: 1 });
  expect([...before, ...same]).not.toContainEqual(line);
  const after = await logOf(other);
  expect(after).toContainEqual(line);
  expect(JSON.stringify(after)).not.toContain('another key');
  expect(metrics).toContain('gatecheck_jobs_under_changed_key_total{channel="video"} 1\n');
});

it('logs links that other machines cannot use', { timeout: 180_000 }, async () => {
  const useless = await start('another key');
  expect(await counted(useless)).toContain('gatecheck_public_url_useless 1\n');
  expect(await logOf(useless)).toContainEqual(expect.objectContaining({ msg: 'public_url is useless' }));
  const useful = await start('another key', { public_url: 'https://gateway.example.com' });
  expect(await counted(useful)).toContain('gatecheck_public_url_useless 0\n');
  expect((await logOf(useful)).map(({ msg }) => msg)).not.toContain('public_url is useless');
});

it('logs and counts connections dropped for lack of a file descriptor', { timeout: 180_000 }, async () => {
  const limited = await start('another key', {}, 200);
  const { hostname, port } = new URL(limited.url);
  const open = async (): Promise<Socket> => {
    const socket = connect(Number(port), hostname);
    socket.on('error', () => {});
    await once(socket, 'connect').catch(() => {});
    return socket;
  };
  const sockets = await Promise.all(Array.from({ length: 300 }, open));
  // The next check runs within a second.
  await new Promise((resolve) => setTimeout(resolve, 2_500));
  for (const socket of sockets) socket.destroy();
  await expect
    .poll(() => counted(limited).catch(() => ''), { timeout: 20_000 })
    .toMatch(/^gatecheck_descriptors_exhausted_total [1-9]/m);
  const lines = (await logOf(limited)).filter(({ msg }) => msg.startsWith('no file descriptor is free'));
  expect(lines.length).toBe(1);
});
