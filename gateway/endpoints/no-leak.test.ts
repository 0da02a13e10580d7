import { connect } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  completion,
  events,
  type FakeUpstream,
  frames,
  hang,
  type Reply,
  startFakeUpstream,
} from '../testing/fake-upstream.ts';
import { startTestGateway, type TestGateway, testConfig, testKey } from '../testing/test-gateway.ts';
import { startRead } from '../testing/wire.ts';

let upstream: FakeUpstream;
let gateway: TestGateway;
beforeAll(async () => {
  upstream = await startFakeUpstream();
  gateway = await startTestGateway(
    testConfig(upstream.url, { upstream: { first_byte_timeout_ms: 25, idle_timeout_ms: 25 } }),
  );
});
afterAll(async () => {
  await gateway.close();
  await upstream.close();
});

const request = { model: 'delta-3', messages: [{ role: 'user', content: 'hi' }] };
const url = (): string => `${gateway.url}/api/v1/chat/completions`;
const post = (body: unknown, signal?: AbortSignal) =>
  startRead(url(), { method: 'POST', key: testKey, body, ...(signal && { signal }) });

/** Sends a request and leaves after so many milliseconds, in the middle of whatever happens then. */
async function leave(body: unknown, afterMs: number): Promise<void> {
  const controller = new AbortController();
  const answer = post(body, controller.signal).then(async (head) => {
    for await (const _piece of head.body);
  });
  await gateway.clock.sleep(afterMs);
  controller.abort();
  await answer.catch(() => {});
}

/** Writes raw bytes and cuts the connection. */
async function cutOff(bytes: string, afterMs: number): Promise<void> {
  const socket = connect(gateway.port, '127.0.0.1');
  socket.on('error', () => {});
  await new Promise((resolve) => socket.write(bytes, resolve));
  await gateway.clock.sleep(afterMs);
  socket.resetAndDestroy();
}

const head = `POST /api/v1/chat/completions HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${testKey}\r\n`;
const whole = (body: object): string => {
  const text = JSON.stringify(body);
  return `${head}Content-Length: ${text.length}\r\n\r\n${text}`;
};
const streamed = { ...request, stream: true };
const settle = async (answer: ReturnType<typeof post>): Promise<unknown> => (await answer).body.text();

/** Ways in which a request can end that only the gateway's own books or broken connections know. */
const endings: Record<string, () => Promise<unknown>> = {
  'large success': () => after([completion('x'.repeat(500_000))], () => settle(post(request))),
  'recording failed': () =>
    after([completion('x')], async () => {
      gateway.onWrite = () => Promise.reject(new Error('full'));
      await settle(post(request));
      gateway.onWrite = async () => {};
    }),
  'holding failed': () =>
    holdingSo(
      () => Promise.reject(new Error('full')),
      () => settle(post(request)),
    ),
  'left while it is held': () =>
    after([hang], () =>
      holdingSo(
        () => gateway.clock.sleep(10).then(() => 'held'),
        () => leave(request, 4),
      ),
    ),
  'left at once': () => after([hang], () => leave(request, 0)),
  'broken chunks': () => cutOff(`${head}Transfer-Encoding: chunked\r\n\r\nzz\r\n`, 3),
  'reset after sending': () => after([hang], () => cutOff(whole(request), 3)),
  'pipelined on a dead socket': () =>
    after([hang, hang, hang], () => cutOff(whole(request) + whole(streamed) + whole(request), 3)),
  'pipelined good and broken': () =>
    after([completion('x')], () => cutOff(`${whole(request)}garbage\r\n\r\n`, 3)),
};

/** Lets the ledger answer so while something is done. */
async function holdingSo(hold: TestGateway['onHold'], act: () => Promise<unknown>): Promise<unknown> {
  gateway.onHold = hold;
  return act().finally(() => {
    gateway.onHold = async () => 'held';
  });
}

/** Lets the upstream answer the next requests so, then acts. */
function after(replies: readonly Reply[], act: () => Promise<unknown>): Promise<unknown> {
  upstream.queue.push(...replies);
  return act();
}

it.for(Object.keys(endings))('gives the slot back after: %s', async (name) => {
  upstream.queue.length = 0;
  await endings[name]?.();
  await expect.poll(() => gateway.app.slots.held('usr'), { interval: 2, timeout: 5000 }).toBe(0);
});

it('never refuses a client that sends its next request after the last byte of the one before', async () => {
  upstream.queue.length = 0;
  const config = testConfig(upstream.url);
  const account = config.accounts[0];
  if (account?.users[0]) account.users[0].cap = 1;
  const narrow = await startTestGateway(config);
  for (let i = 0; i < 150; i += 1) {
    upstream.fallback = i % 2 === 0 ? events(frames(['a', 'b', 'c'])) : completion('x'.repeat(i * 1000));
    expect((await narrow.chat({ ...request, stream: i % 2 === 0 })).status).toBe(200);
  }
  await narrow.close();
});
