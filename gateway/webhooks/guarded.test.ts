import { createServer, type Server } from 'node:https';
import { type AddressInfo, createServer as listenTo, type Socket } from 'node:net';
import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { RealClock, TestClock } from '../clock.ts';
import { webhooks as schema } from '../config/webhooks.ts';
import { createOutbound, type OutboundDeps } from '../outbound/create-outbound.ts';
import { scriptedResolve } from '../outbound/resolve.ts';
import { type Canary, type FakeInternet, fakeInternet, startCanary } from '../testing/canary.ts';
import { certify } from '../testing/certificates.ts';
import { type AttemptParts, attempt } from './attempt.ts';
import type { Outcome } from './event-store.ts';

const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;

let canary: Canary;
/** Accepts connections and never answers. */
let silent: { readonly port: number; readonly open: () => number; close(): void };
/** Stands for every public host. */
let server: Server;
let internet: FakeInternet;
let ca: string;
const asked: string[] = [];
/** The redirect that it answers with; it must not be followed. */
let status = 200;
let location = '';
beforeAll(async () => {
  canary = await startCanary();
  silent = await startSilent();
  const authority = await certify(['authority'], null);
  ca = authority.cert;
  const { cert, key } = await certify(['hooks.example.com', '127.0.0.1'], authority);
  server = createServer({ cert, key }, (incoming, response) => {
    asked.push(`${incoming.method} ${incoming.headers.host}${incoming.url}`);
    incoming.resume();
    response.writeHead(status, location === '' ? {} : { location }).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  internet = fakeInternet((server.address() as AddressInfo).port, ca);
});
beforeEach(() => {
  asked.length = 0;
  internet.reached.length = 0;
  status = 200;
  location = '';
});
afterEach(() => {
  expect(canary.connections()).toBe(0);
});
afterAll(async () => {
  server.closeAllConnections();
  server.close();
  silent.close();
  await canary.close();
});

async function startSilent(): Promise<typeof silent> {
  const sockets = new Set<Socket>();
  const listener = listenTo((socket) => {
    sockets.add(socket);
    socket.on('error', () => {}).once('close', () => sockets.delete(socket));
    socket.resume();
  });
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve));
  const { port } = listener.address() as AddressInfo;
  return { port, open: () => sockets.size, close: () => listener.close() };
}

/** The record of one attempt at an event, under a configuration that allows the canary's port; null for none. */
async function attempted(
  url: string,
  changes: Partial<OutboundDeps> = {},
  means: Partial<AttemptParts> = {},
): Promise<Outcome | null> {
  const outbound = createOutbound({
    ports: [443, 8443, canary.port],
    allowedHosts: [],
    resolve: scriptedResolve({}),
    dial: internet.dial,
    ...changes,
  });
  const noted: Outcome[] = [];
  const parts: AttemptParts = {
    outbound,
    store: {
      note: async (outcome) => {
        noted.push(outcome);
        return null;
      },
    },
    secretsOf: async () => [secret],
    limits: schema.parse({ timeout_ms: 5000 }),
    clock: new RealClock(),
    wall: new RealClock(),
    timer: new RealClock(),
    random: () => 0.5,
    onAttempt: () => {},
    gone: new AbortController().signal,
    log: pino({ enabled: false }),
    ...means,
  };
  const event = {
    id: 'evt_1',
    accountId: 'acc',
    share: 'acc x',
    holder: 'gw',
    fence: 1,
    url,
    body: '{}',
    made: 0,
    generation: 1,
    isManual: false,
  };
  await attempt(event, parts);
  return noted[0] ?? null;
}

const blocked = { attempt: { status: null, failure: 'blocked' } };

describe('an event', () => {
  it('goes to no private place, and is not tried there again', async () => {
    const url = `https://127.0.0.1:${canary.port}/`;
    expect(await attempted(url)).toMatchObject({ ...blocked, after: { state: 'stopped' } });
    expect(internet.reached).toEqual([]);
  });

  it('is looked after anew on each attempt: a name that leads elsewhere by then is not believed, and tried again', async () => {
    const resolve = scriptedResolve({ 'hooks.example.com': [['93.184.215.14'], ['127.0.0.1']] });
    const url = `https://hooks.example.com:${canary.port}/`;
    status = 500;
    expect(await attempted(url, { resolve })).toMatchObject({ attempt: { status: 500 } });
    expect(await attempted(url, { resolve })).toMatchObject({ ...blocked, after: { state: 'pending' } });
    expect(asked).toHaveLength(1);
  });

  it('stays pending for an unknown name', async () => {
    expect(await attempted('https://nowhere.example.com/')).toMatchObject({
      attempt: { status: null, failure: 'unresolved' },
      after: { state: 'pending' },
    });
  });

  it.for([301, 302, 303, 307, 308])('follows no redirect of an answer with %i', async (code) => {
    status = code;
    location = `https://127.0.0.1:${canary.port}/`;
    const resolve = scriptedResolve({ 'hooks.example.com': [['93.184.215.14']] });
    expect(await attempted('https://hooks.example.com/', { resolve })).toMatchObject({
      attempt: { status: code, failure: 'redirect' },
      after: { state: 'pending' },
    });
    expect(asked).toEqual(['POST hooks.example.com/']);
  });

  /** Obstacles that keep an attempt from being sent. */
  const hanging: readonly (readonly [string, () => Promise<Partial<OutboundDeps>>])[] = [
    ['a nameserver that never answers', async () => ({ resolve: () => new Promise(() => {}) })],
    ['a host that takes no connection', async () => ({ dial: () => () => {} })],
    [
      'a host that never says a word',
      async () => ({
        dial: undefined,
        resolve: async () => ['127.0.0.1'],
        allowedHosts: [`hooks.example.com:${silent.port}`],
      }),
    ],
  ];

  it.for(hanging)('times out at its deadline with %s', async ([, changes]) => {
    const clock = new TestClock();
    const url = `https://hooks.example.com:${silent.port}/`;
    const ports = [silent.port];
    const attempting = attempted(url, { ports, ...(await changes()) }, { clock });
    await expect.poll(() => clock.nextDue()).not.toBeNull();
    await clock.advance(5000);
    expect(await attempting).toMatchObject({
      attempt: { status: null, failure: 'timeout' },
      after: { state: 'pending' },
    });
    await expect.poll(() => silent.open()).toBe(0);
  });

  it.for(hanging)('is abandoned at once when its process ends with %s', async ([, changes]) => {
    const leave = new AbortController();
    const clock = new TestClock();
    const url = `https://hooks.example.com:${silent.port}/`;
    const ports = [silent.port];
    const attempting = attempted(url, { ports, ...(await changes()) }, { clock, gone: leave.signal });
    await expect.poll(() => clock.nextDue()).not.toBeNull();
    leave.abort();
    expect(await attempting).toBeNull();
    expect(clock.nextDue()).toBeNull();
    await expect.poll(() => silent.open()).toBe(0);
  });
});
