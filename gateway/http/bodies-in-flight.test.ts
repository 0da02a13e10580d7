import { connect } from 'node:net';
import { expect, it } from 'vitest';
import { completion, type FakeUpstream } from '../testing/fake-upstream.ts';
import { otherKey, startTestGateway, type TestGateway, testKey } from '../testing/test-gateway.ts';
import { twoEndsOfFile } from '../testing/two-ends.ts';

let upstream: FakeUpstream;
let gateway: TestGateway;
twoEndsOfFile(startTestGateway, { limits: { in_flight_bytes: 300_000 } }, (ends) => {
  ({ upstream, gateway } = ends);
});

const bodyOf = (bytes: number) => ({
  model: 'delta-3',
  messages: [{ role: 'user', content: 'x'.repeat(bytes) }],
});

it('bodies share a budget: a body that does not fit waits, then is rejected, or is served once there is room', async () => {
  const held = Promise.withResolvers<void>();
  upstream.queue.push(async (response, request) => {
    await held.promise;
    await completion('Hello')(response, request);
  });
  const first = gateway.chat(bodyOf(200_000));
  await upstream.waitFor(1);
  const second = gateway.chat(bodyOf(200_000));
  // Small bodies need no room.
  expect((await gateway.chat(bodyOf(100))).status).toBe(200);
  await expect.poll(() => gateway.clock.nextDue()).not.toBeNull();
  await gateway.clock.advance(5_000);
  expect(await second).toMatchObject({
    status: 429,
    json: { error: { code: 'channel_queue_full', type: 'rate_limit_error', param: null, channel: null } },
  });
  const third = gateway.chat(bodyOf(200_000));
  held.resolve();
  expect((await first).status).toBe(200);
  expect((await third).status).toBe(200);
  expect(upstream.seen).toHaveLength(3);
});

it('a user who announces bodies without sending them does not block other users', async () => {
  const { port } = new URL(gateway.url);
  const head = `POST /api/v1/chat/completions HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${testKey}\r\ncontent-type: application/json\r\ncontent-length: 100000\r\n\r\n`;
  const silent = Array.from({ length: 4 }, () => connect(Number(port), '127.0.0.1'));
  for (const socket of silent) socket.on('error', () => {}).write(head);
  await expect.poll(() => gateway.clock.nextDue()).not.toBeNull();
  expect((await gateway.chat(bodyOf(70_000), otherKey)).status).toBe(200);
  for (const socket of silent) socket.destroy();
});
