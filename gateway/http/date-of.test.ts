import { expect, it } from 'vitest';
import { events, type FakeUpstream, frames } from '../testing/fake-upstream.ts';
import { startTestGateway, type TestGateway, testKey } from '../testing/test-gateway.ts';
import { twoEndsOfFile } from '../testing/two-ends.ts';
import { parseRaw, rawExchange } from '../testing/wire.ts';

let upstream: FakeUpstream;
let gateway: TestGateway;
twoEndsOfFile(startTestGateway, {}, async (ends) => {
  ({ upstream, gateway } = ends);
  await gateway.clock.advance(3 * 86_400_000);
});

const auth = `Authorization: Bearer ${testKey}\r\n`;
const body = '{"model":"delta-3","stream":true,"messages":[{"role":"user","content":"hi"}]}';
const head = `Host: x\r\n${auth}Connection: close\r\nContent-Type: application/json\r\nContent-Length: ${body.length}`;

it.each([
  ['a whole answer', `GET /api/v1/models HTTP/1.1\r\nHost: x\r\n${auth}Connection: close\r\n\r\n`],
  ['a stream', `POST /api/v1/chat/completions HTTP/1.1\r\n${head}\r\n\r\n${body}`],
  ['bytes that are no request', 'garbage\r\n\r\n'],
])('the Date header of an answer to %s follows the gateway clock', async (_name, bytes) => {
  upstream.queue.push(events(frames(['hi'])));
  const before = gateway.clock.now();
  const [answer] = parseRaw(await rawExchange(gateway.port, bytes, 10_000));
  // The clock may reach the next second meanwhile.
  const dates = [before, gateway.clock.now()].map((ms) => new Date(ms).toUTCString().toLowerCase());
  expect(dates).toContain(answer?.headers.date);
});
