import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, it, onTestFinished } from 'vitest';
import { stringify } from 'yaml';
import { exitCodes } from '../process/exit-codes.ts';
import { listenOnLoopback } from '../process/loopback.ts';
import { readReport, runCli } from './testing/run-cli.ts';
import { smallGatewayKey } from './testing/small-gateway.ts';

const folder = mkdtempSync(join(tmpdir(), 'gatecheck-process-'));
afterAll(() => rmSync(folder, { recursive: true }));
const gateway = fileURLToPath(new URL('testing/small-gateway.ts', import.meta.url));
const target = join(folder, 'target.yaml');

async function freePort(): Promise<number> {
  const server = createServer();
  const port = await listenOnLoopback(server);
  server.close();
  return port;
}

/** A profile whose shell starts the small gateway as its child, which prints the key. */
function writeProfile(port: number, script: string): void {
  const serve = `import { createSmallGateway } from ${JSON.stringify(gateway)};
console.log('the key is', process.env.GATEWAY_KEY);
createSmallGateway([]).listen(${port}, '127.0.0.1');`;
  writeFileSync(join(folder, 'serve.ts'), serve);
  const process = {
    command: ['sh', '-c', script, 'sh', globalThis.process.execPath],
    environment: { GATEWAY_KEY: 'env:GATECHECK_KEY' },
    ready: { seconds: 30 },
  };
  const keys = { K1: 'env:GATECHECK_KEY' };
  writeFileSync(target, stringify({ process, base_url: `http://127.0.0.1:${port}`, keys }));
}

const judge = (out: string): ReturnType<typeof runCli> =>
  runCli(
    [
      'run',
      '--target',
      target,
      '--only',
      'auth.key.unknown,cat.capability.tools',
      '--out',
      join(folder, out),
    ],
    {
      GATECHECK_KEY: smallGatewayKey,
    },
  );

it('starts a deployment by its command, judges it, and stops all of its processes', async () => {
  const port = await freePort();
  writeProfile(port, '"$1" serve.ts & wait');
  const { code, stderr } = await judge('judged');
  expect(code, stderr).toBe(exitCodes.failures);
  const report = readReport(join(folder, 'judged'));
  expect(report.checks.map(({ verdict }) => verdict)).toContain('fail');
  expect(report.notices?.join()).toMatch(/deployment\.log.*the key is \$/s);
  await expect(fetch(`http://127.0.0.1:${port}`)).rejects.toThrow();
}, 60_000);

it('reports a process that ends before it is ready with its last lines, without secrets', async () => {
  writeProfile(await freePort(), 'echo "no licence for $GATEWAY_KEY"; exit 7');
  const { code, stderr } = await judge('ended');
  expect(code).toBe(exitCodes.unreachable);
  expect(stderr).toContain('the process ended with code 7 before it could be judged\nno licence for $');
  expect(stderr).not.toContain(smallGatewayKey);
}, 60_000);

it('starts nothing where another server already answers, because that would be judged instead', async () => {
  const other = createServer((_, response) => response.end());
  writeProfile(await listenOnLoopback(other), '"$1" serve.ts');
  onTestFinished(() => void other.close());
  const { code, stderr } = await judge('other');
  expect(code).toBe(exitCodes.usage);
  expect(stderr).toContain('something answers at');
}, 60_000);
