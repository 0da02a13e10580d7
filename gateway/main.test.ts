import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { completion, delta, events, type FakeUpstream, startFakeUpstream } from './testing/fake-upstream.ts';
import { runGateway } from './testing/gateway-process.ts';
import { copyCluster } from './testing/store/test-cluster.ts';
import { testConfig, testKey } from './testing/test-gateway.ts';
import { parseEvents, read, startRead } from './testing/wire.ts';

const startMs = 60_000;
let upstream: FakeUpstream;
let directory: string;
beforeAll(async () => {
  upstream = await startFakeUpstream();
  directory = mkdtempSync(join(tmpdir(), 'gateway-main-'));
});
afterAll(async () => {
  await upstream.close();
  rmSync(directory, { recursive: true });
});

function writeConfig(name: string, changes: object): string {
  const { chat_models, accounts, channels } = testConfig(upstream.url);
  const path = join(directory, name);
  const config = {
    listen: {},
    store: { data_dir: join(directory, 'data') },
    key_pepper: 'a pepper for tests',
    chat_models,
    accounts,
    channels,
  };
  writeFileSync(path, stringify({ ...config, ...changes }));
  return path;
}

const request = { model: 'delta-3', messages: [{ role: 'user', content: 'hi' }] };

it('serves, rejects a second process on its data, drains on SIGTERM until all callers are done or gone, and exits 0', {
  timeout: startMs,
}, async () => {
  const config = writeConfig('good.yaml', {});
  const first = await runGateway(['--config', config]);
  upstream.fallback = completion('Hello');
  const url = `${first.url}/api/v1/chat/completions`;
  expect(
    (await read(url, { method: 'POST', key: testKey, body: request })).json.choices[0].message.content,
  ).toBe('Hello');

  const second = await (await runGateway(['--config', config])).exit;
  expect(second.code).toBe(3);
  expect(second.errors).toMatch(/is in use by another process/);

  const begun = upstream.seen.length;
  const endings: (() => void)[] = [];
  upstream.fallback = async (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(delta({ content: 'x' }));
    await new Promise<void>((resolve) => endings.push(resolve));
    response.end(delta({}, 'stop'));
  };
  const leaving = new AbortController();
  const streamed = { method: 'POST', key: testKey, body: { ...request, stream: true } } as const;
  const left = await startRead(url, { ...streamed, signal: leaving.signal });
  left.body.on('error', () => {});
  const stream = await startRead(url, streamed);
  first.stop('SIGTERM');
  await expect
    .poll(() =>
      read(url).then(
        () => 'accepted',
        () => 'refused',
      ),
    )
    .toBe('refused');
  leaving.abort();
  await upstream.seen[begun]?.aborted;
  for (const end of endings) end();
  expect(parseEvents(await stream.body.text()).done).toBe(true);
  const end = await first.exit;
  expect(end.code).toBe(0);
  expect(end.errors).not.toContain(testKey);
});

it('ends with its standard input if configured so, and at once on a second signal', {
  timeout: startMs,
}, async () => {
  const dataDir = join(directory, 'stdin-data');
  await copyCluster(dataDir);
  const config = writeConfig('stdin.yaml', { store: { data_dir: dataDir } });
  const first = await runGateway(['--config', config, '--exit-with-stdin']);
  first.endOfInput();
  expect((await first.exit).code).toBe(0);

  const second = await runGateway(['--config', config]);
  upstream.fallback = events([delta({ content: 'x' })], 'hang');
  const stream = await startRead(`${second.url}/api/v1/chat/completions`, {
    method: 'POST',
    key: testKey,
    body: { ...request, stream: true },
  });
  stream.body.on('error', () => {});
  second.stop('SIGTERM');
  await expect
    .poll(() =>
      read(second.url).then(
        () => 'accepted',
        () => 'refused',
      ),
    )
    .toBe('refused');
  second.stop('SIGTERM');
  expect((await second.exit).code).toBe(0);
});

it('exits 2 with one sentence per fault of the configuration', { timeout: startMs }, async () => {
  const bad = writeConfig('bad.yaml', { key_pepper: 'short', colour: 'red' });
  const { code, errors } = await (await runGateway(['--config', bad])).exit;
  expect(code).toBe(2);
  const line =
    readFileSync(bad, 'utf8')
      .split('\n')
      .findIndex((text) => text.startsWith('colour')) + 1;
  expect(errors).toContain(`${bad}:${line}:1 colour is not a known setting.`);
  expect(errors.trim().split('\n')).toHaveLength(2);
});

it('does not start with an admin token that is too short or missing in the environment', {
  timeout: startMs,
}, async () => {
  const short = writeConfig('short.yaml', { admin: { token: 'too-short' } });
  const named = writeConfig('named.yaml', { admin: { tokens: [{ name: 'ops', env: 'OPS_TOKEN' }] } });
  const ends = await Promise.all([
    (await runGateway(['--config', short])).exit,
    (await runGateway(['--config', named])).exit,
    (await runGateway(['--config', named], { OPS_TOKEN: 'too-short' })).exit,
  ]);
  expect(ends.map(({ code }) => code)).toEqual([2, 2, 2]);
  const [inFile, missing, inVariable] = ends.map(({ errors }) => errors);
  expect(inFile).toMatch(/short\.yaml:\d+:\d+ admin\.token must have 32 to 200 printable characters/);
  expect(missing).toContain('the environment variable OPS_TOKEN is not set');
  expect(inVariable).toContain('OPS_TOKEN must have 32 to 200 printable characters');
  expect(ends.map(({ errors }) => errors).join('')).not.toContain('too-short');
});

it('does not start with test hooks in production', { timeout: startMs }, async () => {
  const config = writeConfig('tested.yaml', { test: { token: 'hook-token' } });
  const { code, errors } = await (await runGateway(['--config', config], { NODE_ENV: 'production' })).exit;
  expect(code).toBe(2);
  expect(errors).toContain(`${config}: test opens what people must not reach`);
  expect(errors.trim().split('\n')).toHaveLength(1);
});

it.for([[[]], [['--config', '/nowhere/gateway.yaml']], [['--colour']]])(
  'exits 2 with a sentence when started with %j',
  { timeout: startMs },
  async ([args]) => {
    const { code, errors } = await (await runGateway(args ?? [])).exit;
    expect(code).toBe(2);
    expect(errors.trim().split('\n')).toHaveLength(1);
  },
);
