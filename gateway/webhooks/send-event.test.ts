import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { RealClock, TestClock } from '../clock.ts';
import { createOutbound } from '../outbound/create-outbound.ts';
import { scriptedResolve } from '../outbound/resolve.ts';
import { startWebhookReceiver, status, type WebhookReceiver } from '../testing/webhook-receiver.ts';
import { type Sending, type SendMeans, sendEvent } from './send-event.ts';

let receiver: WebhookReceiver;
let clock: TestClock;
beforeAll(async () => {
  receiver = await startWebhookReceiver();
  clock = new TestClock(() => 0);
});
afterEach(() => {
  receiver.events.length = 0;
  expect(clock.nextDue()).toBeNull();
});
afterAll(() => receiver.close());

const hangs: AddressInfo[] = [];
const send = (changes: Partial<Sending> = {}, more: Partial<SendMeans> = {}) => {
  const allowedHosts = [receiver.host, ...hangs.map(({ port }) => `127.0.0.1:${port}`)];
  const resolve = scriptedResolve({});
  const { connect } = createOutbound({ ports: [], allowedHosts, resolve, ca: receiver.ca });
  const gone = new AbortController().signal;
  const sending = {
    url: `${receiver.url}/a/../b%2f?c=d&c=e`,
    headers: { 'webhook-id': 'evt_1' },
    body: '{"ü":1}',
  };
  return sendEvent(
    { connect, timeoutMs: 15_000, clock, timer: new RealClock(), ...more },
    { ...sending, gone, ...changes },
  );
};

it('posts the body unchanged to the exact URL, on its own connection', async () => {
  expect(await send()).toEqual({ status: 200, failure: null, askedMs: null });
  const [event] = receiver.events;
  expect(event).toMatchObject({ path: '/b%2f?c=d&c=e', text: '{"ü":1}' });
  expect(event?.headers).toMatchObject({
    host: receiver.host,
    'content-type': 'application/json',
    'content-length': '8',
    'user-agent': expect.stringMatching(/^gatecheck-gateway\//),
    'webhook-id': 'evt_1',
    connection: 'close',
  });
});

it('has delivered on a 2xx head, however long the body is', async () => {
  const closed = Promise.withResolvers<void>();
  receiver.queue.push((response) => {
    response.once('close', closed.resolve);
    response.writeHead(202);
    response.write('x'.repeat(100_000));
  });
  expect(await send()).toMatchObject({ status: 202, failure: null });
  await closed.promise;
});

it('closes the connection after a while if the answer never ends', async () => {
  const timer = new TestClock(() => 0);
  const closed = Promise.withResolvers<void>();
  receiver.queue.push((response) => {
    response.once('close', closed.resolve);
    response.writeHead(200);
    response.write('x');
  });
  expect(await send({}, { timer })).toMatchObject({ status: 200 });
  await timer.advance(1_000);
  await closed.promise;
});

it('waits until the deadline for an answer or a handshake', async () => {
  const hanging = createServer((socket) => socket.on('error', () => {}));
  await new Promise<void>((resolve) => hanging.listen(0, '127.0.0.1', resolve));
  const address = hanging.address() as AddressInfo;
  hangs.push(address);
  receiver.queue.push(() => {});
  const [answer, handshake] = [send(), send({ url: `https://127.0.0.1:${address.port}/` })];
  await receiver.waitFor(1);
  await clock.advance(14_999);
  await clock.advance(1);
  const late = { status: null, failure: 'timeout', askedMs: null };
  expect(await Promise.all([answer, handshake])).toEqual([late, late]);
  hanging.close();
});

it('reads Retry-After only from the answers of a busy receiver', async () => {
  receiver.queue.push(...[429, 503, 500, 200].map((code) => status(code, { 'retry-after': '7' })));
  const asked = [await send(), await send(), await send(), await send()].map((sent) => sent?.askedMs);
  expect(asked).toEqual([7_000, 7_000, null, null]);
});

it('returns null when this process ends first', async () => {
  const leaving = new AbortController();
  receiver.queue.push(() => leaving.abort());
  expect(await send({ gone: leaving.signal })).toBeNull();
});

it('fails when the answer is not HTTP', async () => {
  receiver.queue.push((response) => response.socket?.end('SSH-2.0-none\r\n\r\n'));
  expect(await send()).toEqual({ status: null, failure: 'connection', askedMs: null });
});
