import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { profileSchema } from '../profile/profile.ts';
import { createWireClient } from './client.ts';
import { Pace } from './pace.ts';

/** A time that moves only when something waits. */
function movedByWaits() {
  let now = 0;
  const wait = async (ms: number): Promise<void> => {
    now += ms;
  };
  return { now: () => now, wait, pass: (ms: number) => (now += ms) };
}

const { signal } = new AbortController();
const refusal = { status: 429, retryAfter: '7', text: '{"detail":"20 requests per minute"}' };

it('sends no more calls than declared in any minute', async () => {
  const time = movedByWaits();
  const pace = new Pace(3, time);
  const at: number[] = [];
  for (let call = 0; call < 8; call += 1) {
    await pace.turn(signal);
    at.push(time.now());
    time.pass(1_000);
  }
  const within = at.map((start) => at.filter((one) => one >= start && one < start + 60_000).length);
  expect(Math.max(...within)).toBe(3);
  expect(at.at(-1)).toBeLessThan(130_000);
  expect(pace.pacedMs).toBe(114_000);
});

it('waits as long as a refusal says, for this call and for the next ones', async () => {
  const time = movedByWaits();
  const pace = new Pace(100, time);
  expect(await pace.refused(refusal, 0, signal)).toBe(true);
  expect(time.now()).toBe(7_000);
  expect(await pace.refused({ ...refusal, retryAfter: null }, 0, signal)).toBe(true);
  expect(time.now()).toBe(12_000);
});

it.each([
  ['a refusal by the cap', { ...refusal, text: '{"error":{"code":"concurrency_exceeded"}}' }, 0],
  ['another status', { ...refusal, status: 503 }, 0],
  ['a refusal that never ends', refusal, 5],
])('does not wait for %s', async (_, answer, refusals) => {
  const time = movedByWaits();
  expect(await new Pace(100, time).refused(answer, refusals, signal)).toBe(false);
  expect(time.now()).toBe(0);
});

it.each([
  ['per minute', 200, 2],
  ['at once', 429, 1],
])(
  'a declared deployment that refuses by calls %s is answered with %i after %i calls',
  async (words, status, calls) => {
    let count = 0;
    const server = createServer((_, response) => {
      count += 1;
      response.writeHead(count === 1 ? 429 : 200, { 'retry-after': '0' });
      response.end(`20 calls ${words}`);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void server.close());
    const base_url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const profile = profileSchema.parse({
      base_url,
      keys: { K1: 'sk-app-1' },
      http: { calls_per_minute: 20 },
    });
    const client = createWireClient(profile);
    onTestFinished(() => client.close());
    const exchange = await client.send({ method: 'GET', path: '/' });
    expect([exchange.response?.status, count]).toEqual([status, calls]);
    expect(exchange.response?.body.toString()).toBe(`20 calls ${words}`);
  },
);

it('learns a limit that is not declared from its refusals, and names the line that declares it', async () => {
  const time = movedByWaits();
  const pace = new Pace(null, time);
  for (let call = 0; call < 100; call += 1) await pace.turn(signal);
  expect([time.now(), pace.notice]).toEqual([0, null]);
  expect(await pace.refused(refusal, 0, signal)).toBe(true);
  expect(time.now()).toBe(7_000);
  for (let call = 0; call < 20; call += 1) await pace.turn(signal);
  expect(time.now()).toBeGreaterThanOrEqual(67_000);
  expect(pace.notice).toContain('"http: { calls_per_minute: 20 }"');
});

it('waits three minutes in all for a limit that is not declared', async () => {
  const time = movedByWaits();
  const pace = new Pace(null, time);
  const hour = { status: 429, retryAfter: '100', text: 'rate limit reached' };
  const said = [await pace.refused(hour, 0, signal), await pace.refused(hour, 0, signal)];
  expect([...said, await pace.refused(hour, 0, signal)]).toEqual([true, true, false]);
  const before = time.now();
  await pace.turn(signal);
  expect(time.now()).toBe(before);
  expect(pace.notice).toContain('does not judge what it still refuses');
});
