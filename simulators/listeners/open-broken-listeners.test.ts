import { once } from 'node:events';
import { request as requestTls } from 'node:https';
import { connect } from 'node:net';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { SimulatorControl } from '../control/client.ts';
import { type OpenSimulators, openSimulators } from '../start.ts';
import { chatBody } from '../testing/post-chat.ts';
import type { BrokenListenerKind } from './broken-listener.ts';

let simulators: OpenSimulators;
const defects: unknown[] = [];

beforeAll(async () => {
  const onDefect = (error: unknown): void => void defects.push(error);
  simulators = await openSimulators({
    port: 0,
    controlPort: 0,
    seed: 1,
    testClock: false,
    brokenListeners: true,
    onDefect,
  });
});

afterAll(async () => {
  await simulators.close();
  expect(defects).toEqual([]);
});

function originOf(kind: BrokenListenerKind): URL {
  const origin = simulators.brokenListeners[kind];
  if (origin === undefined) throw new Error(`there is no broken listener ${kind}`);
  return new URL(origin);
}

/** The result of a connection attempt: `connect`, an error code, or nothing within the time. */
async function knock(kind: BrokenListenerKind, withinMs: number): Promise<string> {
  const { hostname, port } = originOf(kind);
  const socket = connect(Number(port || 80), hostname);
  onTestFinished(() => void socket.destroy());
  return Promise.race([
    once(socket, 'connect').then(
      () => 'connect',
      (error: NodeJS.ErrnoException) => error.code ?? error.message,
    ),
    once(AbortSignal.timeout(withinMs), 'abort').then(() => 'nothing'),
  ]);
}

/** The status of a call through the broken listener, or the code of its error. */
function call(kind: BrokenListenerKind, isTrusting: boolean): Promise<number | string> {
  return new Promise((resolve) => {
    const options = { method: 'POST', agent: false, rejectUnauthorized: !isTrusting } as const;
    const headers = { authorization: 'Bearer sk-upstream', 'content-type': 'application/json' };
    const sent = requestTls(new URL(`/${kind}/alpha/v1/chat/completions`, originOf(kind)), {
      ...options,
      headers,
    });
    sent.on('response', (response) => resolve(response.resume().statusCode ?? 0));
    sent.on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
    sent.end(chatBody({}));
  });
}

it('rejects connections, and blocks the port for other listeners', async () => {
  expect(await knock('refused', 5000)).toBe('ECONNREFUSED');
  const { createServer } = await import('node:net');
  const intruder = createServer();
  intruder.listen(Number(originOf('refused').port), '127.0.0.1');
  const [error] = await once(intruder, 'error');
  expect(error).toMatchObject({ code: 'EADDRINUSE' });
});

it('drops the first packet of the blackhole, even for the tenth caller', async () => {
  const answers = await Promise.all(Array.from({ length: 10 }, () => knock('blackhole', 600)));
  expect(answers).toEqual(answers.map(() => 'nothing'));
});

it('names a host that no resolver knows', async () => {
  expect(await knock('nameless', 10_000)).toMatch(/^(ENOTFOUND|EAI_AGAIN)$/);
});

it.each(['tls-self-signed', 'tls-expired', 'tls-wrong-host'] as const)(
  'shows an untrusted certificate at %s, and answers clients that do not verify it',
  async (kind) => {
    expect(await call(kind, false)).toMatch(/SELF_SIGNED|EXPIRED|ALTNAME/);
    expect(await call(kind, true)).toBe(200);
    const control = new SimulatorControl(String(simulators.controlUrl));
    onTestFinished(() => control.close());
    const { entries } = await control.tenant(kind).journal({ ended: 1 });
    expect(entries.map(({ channel, reply }) => [channel, reply.status])).toEqual([['alpha', 200]]);
  },
);

it('has certificates with the flaws in their names', async () => {
  const { X509Certificate } = await import('node:crypto');
  const { certificateWith } = await import('./certificate.ts');
  const certificates = (['self-signed', 'expired', 'wrong-host'] as const).map(
    (flaw) => new X509Certificate(certificateWith(flaw).cert),
  );
  const now = new Date();
  expect(certificates.map(({ validFromDate }) => validFromDate < now)).toEqual([true, true, true]);
  expect(certificates.map(({ validToDate }) => validToDate > now)).toEqual([true, false, true]);
  const [self, expired, wrong] = certificates;
  expect([self, expired, wrong].map((one) => one?.checkIP('127.0.0.1'))).toEqual([
    '127.0.0.1',
    '127.0.0.1',
    undefined,
  ]);
});

it('accepts a connection and never answers TLS', async () => {
  expect(await knock('tls-stall', 5000)).toBe('connect');
  const { hostname, port } = originOf('tls-stall');
  const socket = connect(Number(port), hostname);
  onTestFinished(() => void socket.destroy());
  socket.write(Buffer.from([0x16, 0x03, 0x01, 0x00, 0x05, 0x01, 0x00, 0x00, 0x01, 0x00]));
  const answer = await Promise.race([
    once(socket, 'data').then(() => 'an answer'),
    once(socket, 'close').then(() => 'closed'),
    once(AbortSignal.timeout(300), 'abort').then(() => 'nothing'),
  ]);
  expect(answer).toBe('nothing');
});

it('closes at once, with all connections that wait at a broken listener', async () => {
  const own = await openSimulators({
    port: 0,
    controlPort: 0,
    seed: 1,
    testClock: false,
    brokenListeners: true,
    onDefect: (error) => void defects.push(error),
  });
  const visitors = (['tls-self-signed', 'tls-expired', 'tls-wrong-host', 'tls-stall'] as const).map(
    (kind) => {
      const { hostname, port } = new URL(own.brokenListeners[kind] ?? '');
      return connect(Number(port), hostname).on('error', () => {});
    },
  );
  await Promise.all(visitors.map((visitor) => once(visitor, 'connect')));
  const left = visitors.map((visitor) => once(visitor.resume(), 'close'));
  await own.close();
  await Promise.all(left);
});
