import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { request } from 'undici';
import { afterAll, expect, it, onTestFinished } from 'vitest';
import { type Child, startChild } from '../stack/child.ts';
import { runCli } from './testing/run-cli.ts';

const folder = mkdtempSync(join(tmpdir(), 'gatecheck-capture-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface Started {
  readonly child: Child;
  readonly url: string;
  readonly out: string;
}

async function capture(upstream: string, name: string): Promise<Started> {
  const launcher = fileURLToPath(new URL('./gatecheck.mjs', import.meta.url));
  const out = join(folder, name);
  const args = [launcher, 'capture', '--upstream', upstream, '--out', out];
  const child = await startChild({ name: 'capture', args });
  onTestFinished(() => child.stop());
  expect(child.ready.out).toBe(out);
  return { child, url: String(child.ready.capture_url), out };
}

async function upstreamThat(answers: RequestListener): Promise<string> {
  const server = createServer(answers);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const key = 'sk-never-in-a-file';

/** Calls an address under a key and reads the answer; null when the connection breaks. */
async function ask(url: string): Promise<{ status: number; text: string } | null> {
  try {
    const { statusCode, body } = await request(`${url}/v1/models`, {
      headers: { authorization: `Bearer ${key}` },
    });
    return { status: statusCode, text: await body.text() };
  } catch {
    return null;
  }
}

it('forwards answers and, on SIGTERM, writes them to the file without the key, with exit code 0', async () => {
  const upstream = await upstreamThat((received, response) => {
    if (received.url === '/base/v1/models')
      response.writeHead(429, { 'retry-after': '17' }).end(`no, ${key}`);
  });
  const { child, url, out } = await capture(`${upstream}/base/`, 'one.json');
  expect(await ask(url)).toEqual({ status: 429, text: `no, ${key}` });
  await child.stop();
  expect(await child.ended).toBe(0);
  const text = readFileSync(out, 'utf8');
  expect(text).not.toContain(key);
  const file = JSON.parse(text);
  expect(file).toMatchObject({ schema: 'gatecheck.capture/1', upstream: `${upstream}/base`, left_out: [] });
  expect(file.exchanges).toHaveLength(1);
  expect(file.exchanges[0]).toMatchObject({
    n: 1,
    request: { method: 'GET', target: '/v1/models' },
    response: {
      ended: 'fin',
      chunks: [{ text: expect.stringMatching(/^HTTP\/1\.1 429 [\s\S]*no, aa-aaaaa-aa-a-aaaa/) }],
    },
  });
});

it('records a reset as a reset, and passes it on', async () => {
  const upstream = await upstreamThat(({ socket }) => void socket.resetAndDestroy());
  const { child, url, out } = await capture(upstream, 'reset.json');
  expect(await ask(url)).toBeNull();
  await child.stop();
  const [exchange] = JSON.parse(readFileSync(out, 'utf8')).exchanges;
  expect(exchange.response).toMatchObject({ chunks: [], ended: 'rst' });
});

it('answers 502 for an unreachable upstream, and records this in the file', async () => {
  const { child, url, out } = await capture('http://127.0.0.1:9', 'nobody.json');
  expect((await ask(url))?.status).toBe(502);
  await child.stop();
  expect(JSON.parse(readFileSync(out, 'utf8')).left_out).toEqual([
    { n: 1, reason: 'the upstream could not be reached' },
  ]);
});

it.each([
  ['no upstream', [], "required option '--upstream <url>' not specified"],
  ['an upstream that is no address', ['--upstream', 'gw'], '"gw" is not an http or https address'],
  ['a key in the address', ['--upstream', 'https://x/v1?key=k'], 'remove query and fragment'],
  ['a folder that there is not', ['--upstream', 'http://x', '--out', '/nowhere/at/all.json'], 'ENOENT'],
])('exits with code 2 for %s', async (_, args, sentence) => {
  const { code, stderr } = await runCli(['capture', ...args]);
  expect(code).toBe(2);
  expect(stderr).toContain(sentence);
});
