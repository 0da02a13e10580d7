import { expect, it } from 'vitest';
import { drain } from './drain.ts';
import { startManyEnds } from './testing/channels.ts';
import { delta, events, hang } from './testing/fake-upstream.ts';
import { testKey } from './testing/test-gateway.ts';
import { startRead } from './testing/wire.ts';

const request = { model: 'delta-3', messages: [{ role: 'user', content: 'hi' }] };

it('records the usage of every request that it cuts, and does not blame the channel', async () => {
  const limits = { first_byte_timeout_ms: 120_000, idle_timeout_ms: 120_000 };
  const room = { capacity: 10, queue_length: 5, queue_wait_ms: 120_000 };
  const { gateway, upstreams, close } = await startManyEnds([room], { upstream: limits });
  const [upstream] = upstreams;
  const [live] = gateway.app.channels.serving('delta-3', ['acc']);
  if (upstream === undefined) throw new Error('no upstream');
  upstream.fallback = (response, seen) =>
    (seen.body.stream ? events([delta({ content: 'x' })], 'hang') : hang)(response, seen);
  // Each write to the database takes a while.
  gateway.onWrite = async (record) => {
    for (let turn = 0; turn < 50; turn += 1) await new Promise((resolve) => setImmediate(resolve));
    gateway.records.push(record);
  };
  const ask = (stream: boolean): Promise<unknown> =>
    startRead(`${gateway.url}/api/v1/chat/completions`, {
      method: 'POST',
      key: testKey,
      body: { ...request, stream },
    }).then(({ body }) => body.text());
  const asked = Array.from({ length: 15 }, (_, i) => ask(i % 2 === 0).catch(() => {}));
  await upstream.waitFor(10);
  await expect.poll(() => live?.takesWaiting()).toBe(false);

  const drained = drain(gateway.app);
  await gateway.clock.advance(31_000);
  await drained;
  const ends = gateway.records.map(({ outcome, attempts }) => `${outcome} ${attempts}`);
  expect(ends.toSorted()).toEqual([...Array(5).fill('client_gone 0'), ...Array(10).fill('client_gone 1')]);
  expect(live?.isProven).toBe(true);
  await Promise.all(asked);
  await close();
});
