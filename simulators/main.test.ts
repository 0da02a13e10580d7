import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import { createInterface } from 'node:readline';
import { describe, expect, it, onTestFinished } from 'vitest';
import { SimulatorControl } from './control/client.ts';
import { brokenListenerKinds } from './listeners/broken-listener.ts';
import { postChat, readAll } from './testing/post-chat.ts';

const main = new URL('main.ts', import.meta.url).pathname;

function launch(...flags: string[]): ChildProcess {
  return launchWith({}, ...flags);
}

function launchWith(variables: NodeJS.ProcessEnv, ...flags: string[]): ChildProcess {
  const env = { ...process.env, ...variables };
  const child = spawn(process.execPath, [main, ...flags], { stdio: ['pipe', 'pipe', 'pipe'], env });
  onTestFinished(() => void child.kill('SIGKILL'));
  return child;
}

async function start(
  ...flags: string[]
): Promise<{ child: ChildProcess; providerUrl: string; controlUrl: string }> {
  const child = launch(...flags);
  if (child.stdout === null) throw new Error('the output is piped');
  const [line] = await once(createInterface(child.stdout), 'line');
  const { provider_url, control_url, listeners, ...rest } = JSON.parse(line);
  expect(rest).toEqual({});
  expect(Object.keys(listeners)).toEqual([...brokenListenerKinds]);
  return { child, providerUrl: provider_url, controlUrl: control_url };
}

async function exitOf(child: ChildProcess): Promise<number | null> {
  if (child.exitCode !== null) return child.exitCode;
  const [code] = await once(child, 'exit');
  return code;
}

async function errorOf(child: ChildProcess): Promise<string> {
  return child.stderr === null ? '' : (await readAll(child.stderr)).join('');
}

/** The first of a number of consecutive ports, all of which were free just now. */
async function freePorts(count: number): Promise<number> {
  for (;;) {
    const first = 20_000 + Math.floor(Math.random() * 10_000);
    const servers = Array.from({ length: count }, () => createServer());
    const free = await Promise.all(
      servers.map(
        (server, step) =>
          new Promise<boolean>((resolve) => {
            server.once('error', () => resolve(false));
            server.listen(first + step, '0.0.0.0', () => resolve(true));
          }),
      ),
    );
    await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
    if (free.every((one) => one)) return first;
  }
}

/** The complete answers, without their times. */
async function sayings(providerUrl: string, tenant: string): Promise<unknown[]> {
  const base = `${providerUrl}/${tenant}/alpha/v1`;
  const plain = await postChat(base, { seed: 5 });
  const stream = await postChat(base, { stream: true, messages: [{ role: 'user', content: 'Stream.' }] });
  return [plain, stream].map(({ text, headers }) => [
    text.replaceAll(/"created": ?\d+/g, ''),
    { ...headers, date: null },
  ]);
}

describe('the process', () => {
  it('prints its addresses, serves both and ends with exit code 0 at SIGTERM, even while a request hangs', async () => {
    const { child, providerUrl, controlUrl } = await start('--test-clock', '--seed', '9');
    const control = new SimulatorControl(controlUrl);
    onTestFinished(() => control.close());
    expect(await control.health()).toMatchObject({ ok: true, seed: 9 });
    await control.tenant('default').script({ replies: [{ hang: 'head' }] });
    const hanging = postChat(`${providerUrl}/v1`, {});
    const broken = expect(hanging).rejects.toMatchObject({ code: 'ECONNRESET' });
    expect((await control.tenant('default').journal({ waiting: 1 })).satisfied).toBe(true);
    child.kill('SIGTERM');
    expect(await exitOf(child)).toBe(0);
    await broken;
  });

  it('opens the reference receiver if it has a secret, on the test clock', async () => {
    const secret = `whsec_${Buffer.alloc(32, 'k').toString('base64')}`;
    const child = launchWith({ GATECHECK_RECEIVER_SECRET: secret }, '--test-clock');
    if (child.stdout === null) throw new Error('the output is piped');
    const [line] = await once(createInterface({ input: child.stdout }), 'line');
    const { receiver_url, control_url } = JSON.parse(line);
    const read = async (): Promise<string | null> =>
      (await fetch(`${receiver_url}/processed`)).headers.get('date');
    const before = Date.parse((await read()) ?? '');
    const control = new SimulatorControl(control_url);
    onTestFinished(() => control.close());
    await control.advance(3_600_000);
    expect(Date.parse((await read()) ?? '') - before).toBeGreaterThanOrEqual(3_600_000);
  });

  it('opens that receiver for other machines, at its own port', async () => {
    const secret = `whsec_${Buffer.alloc(32, 'k').toString('base64')}`;
    const port = await freePorts(1);
    const child = launchWith(
      { GATECHECK_RECEIVER_SECRET: secret, GATECHECK_CONTROL_TOKEN: 'a-token-of-the-test' },
      ...['--host', '0.0.0.0', '--name', 'localhost', '--receiver-port', String(port)],
    );
    if (child.stdout === null) throw new Error('the output is piped');
    const [line] = await once(createInterface({ input: child.stdout }), 'line');
    expect(JSON.parse(line).receiver_url).toBe(`http://localhost:${port}`);
    expect((await fetch(`http://127.0.0.1:${port}/processed`)).status).toBe(200);
  });

  it('rejects an invalid secret with exit code 2, and does not show it', async () => {
    const child = launchWith({ GATECHECK_RECEIVER_SECRET: 'my-own-secret' });
    const [code, error] = await Promise.all([exitOf(child), errorOf(child)]);
    expect(code).toBe(2);
    expect(error).toBe('GATECHECK_RECEIVER_SECRET: secret 1 is not whsec_ and base64.\n');
  });

  it('ends with its standard input if told to', async () => {
    const { child } = await start('--exit-with-stdin');
    child.stdin?.end();
    expect(await exitOf(child)).toBe(0);
  });

  it('gives equal answers in two processes with one seed, in any order, and different ones with another seed', async () => {
    const seeds = ['3', '3', '4'];
    const [first, second, other] = await Promise.all(seeds.map((seed) => start('--seed', seed)));
    if (first === undefined || second === undefined || other === undefined)
      throw new Error('three were started');
    const before = await sayings(first.providerUrl, 'lane-01');
    await sayings(second.providerUrl, 'lane-02');
    expect(await sayings(second.providerUrl, 'lane-01')).toEqual(before);
    expect(await sayings(other.providerUrl, 'lane-01')).not.toEqual(before);
  });

  it.each([
    [['--port', 'x'], '--port must be a whole number from 0 to 65535, not "x".'],
    [['--control-port', '65536'], '--control-port must be a whole number from 0 to 65535, not "65536".'],
    [['--seed', '1.5'], '--seed must be a whole number'],
    [['--sed', '1'], "Unknown option '--sed'"],
    [['extra'], 'there is no scenario extra; there are b1-brownout, '],
    [['b1-brownout', 'extra'], 'one scenario at a time, not also extra'],
    [['--listener-port', '65535'], '--listener-port must be a whole number from 1 to 65528, not "65535".'],
    [['--host', '0.0.0.0'], '--host 0.0.0.0 can be reached by others: set GATECHECK_CONTROL_TOKEN'],
  ])('rejects %j in one sentence with exit code 2', async (flags, sentence) => {
    const child = launch(...flags);
    const [code, error] = await Promise.all([exitOf(child), errorOf(child)]);
    expect(code).toBe(2);
    expect(error).toContain(sentence);
    expect(error.trim().split('\n')).toHaveLength(1);
  });

  it('opens broken listeners at known ports beyond loopback only on request', async () => {
    const listenersOf = async (...flags: string[]): Promise<Record<string, string>> => {
      const child = launchWith(
        { GATECHECK_CONTROL_TOKEN: 'a-token-of-sixteen' },
        ...['--host', '0.0.0.0', '--name', 'upstreams.example', ...flags],
      );
      if (child.stdout === null) throw new Error('the output is piped');
      const [line] = await once(createInterface({ input: child.stdout }), 'line');
      return JSON.parse(line).listeners;
    };
    expect(await listenersOf()).toEqual({});
    const first = await freePorts(brokenListenerKinds.length);
    const listeners = await listenersOf('--listener-port', String(first));
    const origins = Object.entries(listeners).map(([kind, origin]) => [kind, new URL(origin)] as const);
    expect(origins.map(([kind]) => kind)).toEqual([...brokenListenerKinds]);
    for (const [kind, { hostname, port }] of origins.filter(([kind]) => kind !== 'nameless'))
      expect([hostname, Number(port)]).toEqual([
        'upstreams.example',
        first + brokenListenerKinds.indexOf(kind as (typeof brokenListenerKinds)[number]),
      ]);
    // Each has its fault for other machines, too.
    const codeOf = (port: number): Promise<unknown> =>
      new Promise((resolve) => {
        const socket = connect(port, '127.0.0.1', () => resolve('connect'));
        socket.on('error', (error: NodeJS.ErrnoException) => resolve(error.code));
        setTimeout(() => resolve('nothing'), 600);
        onTestFinished(() => void socket.destroy());
      });
    expect(await Promise.all([0, 1, 3, 6].map((step) => codeOf(first + step)))).toEqual([
      'ECONNREFUSED',
      'nothing',
      'connect',
      'connect',
    ]);
  });

  it('reports a port that is in use', async () => {
    const { providerUrl } = await start();
    const child = launch('--port', new URL(providerUrl).port);
    const [code, error] = await Promise.all([exitOf(child), errorOf(child)]);
    expect(code).toBe(1);
    expect(error).toMatch(/^The simulators could not start: .*EADDRINUSE/);
  });
});
