import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openStore, type Store } from '../store/store.ts';
import {
  completion,
  cut,
  delta,
  events,
  type FakeUpstream,
  frames,
  hang,
  json,
  type Reply,
  startFakeUpstream,
} from '../testing/fake-upstream.ts';
import { type FreshPlace, silentLog, storeKinds } from '../testing/store/test-stores.ts';
import { adminToken, startTestGateway, type TestGateway, testConfig } from '../testing/test-gateway.ts';
import { read, startRead } from '../testing/wire.ts';

const keys = [1, 2, 3, 4, 5].map((n) => `sk-app-one-user-key-${n}`);
const keyAt = (i: number): string => keys[i % keys.length] ?? '';
const messages = [{ role: 'user', content: 'hi' }];

const accountWith = (cap: number) => ({
  id: 'acc',
  users: [{ id: 'usr', cap }],
  apps: [{ id: 'app' }],
  keys: keys.map((secret, k) => ({ id: `key-${k}`, user: 'usr', app: 'app', secret })),
});

/** Takes seconds; minutes on a loaded machine. */
const slowMs = 240_000;

let upstream: FakeUpstream;
/** The number of calls that the upstream is answering, and its maximum. */
let calls: { now: number; max: number };
beforeAll(async () => {
  upstream = await startFakeUpstream();
});
afterAll(() => upstream.close());

/** Lets the upstream answer so, and counts what it has in flight from now on. */
function answerWith(reply: Reply): void {
  // A call of an earlier test that ends only now must not change the new count.
  const counted = { now: 0, max: 0 };
  calls = counted;
  upstream.seen.length = 0;
  upstream.fallback = (response, seen) => {
    counted.now += 1;
    counted.max = Math.max(counted.max, counted.now);
    // The next caller may already have the answer before this socket reports its close.
    const end = response.end.bind(response);
    let isOver = false;
    const over = (): void => {
      if (!isOver) counted.now -= 1;
      isOver = true;
    };
    response.once('close', over);
    response.end = ((...last: Parameters<typeof end>) => {
      over();
      return end(...last);
    }) as typeof response.end;
    return reply(response, seen);
  };
}

/** Sends 200 requests at once to these gateways, over all keys, plain and streamed. Counts the statuses and codes. */
async function flood(gateways: readonly TestGateway[]): Promise<Map<string, number>> {
  const outcomes = new Map<string, number>();
  const ask = async (i: number): Promise<void> => {
    const { url } = gateways[i % gateways.length] ?? { url: '' };
    const body = { model: 'delta-3', messages, stream: i % 3 === 0 };
    const answer = await read(`${url}/api/v1/chat/completions`, { method: 'POST', key: keyAt(i), body });
    const name = answer.status === 200 ? '200' : `${answer.status} ${answer.json.error.code}`;
    outcomes.set(name, (outcomes.get(name) ?? 0) + 1);
  };
  await Promise.all(Array.from({ length: 200 }, (_, i) => ask(i)));
  return outcomes;
}

/** The users with requests in flight, from the admin API. */
async function held(gateways: readonly TestGateway[]): Promise<unknown> {
  const answer = await read(`${gateways[0]?.url}/api/admin/slots`, { key: adminToken });
  return answer.json.data;
}

/** Floods the gateways while three calls stay open, then three more times with short answers. Expects three calls at once. */
async function expectThreeAtOnce(gateways: readonly TestGateway[]): Promise<void> {
  const waiting: (() => void)[] = [];
  const plain = completion('x');
  const streamed = events(frames(['x']));
  answerWith(async (response, seen) => {
    await new Promise<void>((resolve) => waiting.push(resolve));
    await (seen.body.stream ? streamed : plain)(response, seen);
  });
  const flooding = flood(gateways);
  // Rejections must arrive while the three calls are still open.
  const last = setInterval(() => {
    if (gateways.reduce((sum, { logLines }) => sum + logLines.length, 0) >= 197)
      for (const go of waiting.splice(0)) go();
  }, 5);
  const outcomes = await flooding;
  clearInterval(last);
  expect(Object.fromEntries(outcomes)).toEqual({ '200': 3, '429 concurrency_exceeded': 197 });
  expect(calls.max).toBe(3);
  answerWith(async (response, seen) => {
    await new Promise((resolve) => setTimeout(resolve, seen.text.length % 4));
    await (seen.body.stream ? streamed : plain)(response, seen);
  });
  for (let wave = 0; wave < 3; wave += 1) {
    const outcomes = await flood(gateways);
    expect([...outcomes.keys()].sort()).toEqual(['200', '429 concurrency_exceeded']);
    expect(outcomes.get('200')).toBeGreaterThanOrEqual(3);
  }
  expect(calls.max).toBeLessThanOrEqual(3);
  expect(await held(gateways)).toEqual([]);
}

/** Requests with mixed endings at once, requests at once that end in a timeout, and the timeout. */
const atOnce = 32;
const inVain = 100;
const timeoutMs = 2_000;

/** By the name of an ending: the upstream's answer, and when the client leaves. */
const endings: Record<string, { reply: Reply; stream: boolean; leaves?: 'early' | 'reading' | 'reset' }> = {
  ok: { reply: completion('x'), stream: false },
  'streamed ok': { reply: events(frames(['a', 'b'])), stream: true },
  refused: { reply: json(400, {}), stream: false },
  failed: { reply: json(500, {}), stream: false },
  'upstream reset': { reply: cut, stream: false },
  'stream reset': { reply: events([delta({ content: 'x' })], 'reset'), stream: true },
  'left waiting': { reply: hang, stream: false, leaves: 'early' },
  'left reading': { reply: events([delta({ content: 'x' })], 'hang'), stream: true, leaves: 'reading' },
  'client reset': { reply: hang, stream: false, leaves: 'reset' },
};
const mix = ['ok', ...Object.keys(endings)];

const bodyFor = (name: string): object => ({
  model: 'delta-3',
  messages: [{ role: 'user', content: name }],
  stream: endings[name]?.stream,
});

/** Sends request `i` and ends it as the mix says. Ignores the outcome. */
async function end(gateway: TestGateway, i: number): Promise<void> {
  const name = mix[i % mix.length] ?? 'ok';
  const body = bodyFor(name);
  const path = '/api/v1/chat/completions';
  switch (endings[name]?.leaves) {
    case 'reset': {
      const text = JSON.stringify(body);
      const socket = connect(gateway.port, '127.0.0.1');
      socket.on('error', () => {});
      const head = `POST ${path} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${keyAt(i)}\r\ncontent-length: ${text.length}\r\n\r\n`;
      await new Promise((resolve) => socket.write(head + text, resolve));
      await new Promise((resolve) => setTimeout(resolve, i % 4));
      socket.resetAndDestroy();
      return;
    }
    case undefined:
      await read(`${gateway.url}${path}`, { method: 'POST', key: keyAt(i), body });
      return;
    default: {
      const leaving = new AbortController();
      const answer = startRead(`${gateway.url}${path}`, {
        method: 'POST',
        key: keyAt(i),
        body,
        signal: leaving.signal,
      }).then(async ({ body: rest }) => {
        for await (const _piece of rest) leaving.abort();
      });
      if (endings[name]?.leaves === 'early') setTimeout(() => leaving.abort(), i % 5);
      await answer.catch(() => {});
    }
  }
}

/** Sends requests that the upstream never finishes, and advances the clocks until all have failed. */
async function waitInVain(gateways: readonly TestGateway[]): Promise<void> {
  const begun = events([delta({ content: 'x' })], 'hang');
  answerWith((response, seen) => (seen.body.stream ? begun : hang)(response, seen));
  const ask = async (i: number): Promise<void> => {
    const { url } = gateways[i % gateways.length] ?? { url: '' };
    const body = { model: 'delta-3', messages, stream: i % 2 === 0 };
    await read(`${url}/api/v1/chat/completions`, { method: 'POST', key: keyAt(i), body });
  };
  let isOver = false;
  const asking = Promise.all(Array.from({ length: inVain }, (_, i) => ask(i))).finally(() => {
    isOver = true;
  });
  await upstream.waitFor(inVain);
  while (!isOver) {
    await Promise.all(gateways.map(({ clock }) => clock.advance(timeoutMs + 1)));
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  await asking;
}

/** Ends this many requests in mixed ways, every tenth by a timeout. Resolves when the gateways have handled all. */
async function endMany(gateways: readonly TestGateway[], count: number): Promise<void> {
  for (let done = 0; done < count; done += 10 * inVain) {
    answerWith((response, seen) => endings[seen.body.messages[0].content]?.reply(response, seen));
    let next = 0;
    const work = async (): Promise<void> => {
      for (let i = next++; i < 9 * inVain; i = next++) {
        const gateway = gateways[i % gateways.length];
        if (gateway !== undefined) await end(gateway, i);
      }
    };
    await Promise.all(Array.from({ length: atOnce }, work));
    await Promise.all(gateways.map(({ app }) => app.running.idle()));
    await waitInVain(gateways);
  }
  await Promise.all(gateways.map(({ app }) => app.running.idle()));
}

const mixed = (more: object = {}) =>
  testConfig(upstream.url, {
    accounts: [accountWith(inVain)],
    upstream: { first_byte_timeout_ms: timeoutMs, idle_timeout_ms: timeoutMs },
    // A circuit breaker that never opens, because more than half of the calls fail.
    breaker: { consecutive_failures: 1000, window_least: 1000, window_failure_percent: 100 },
    ...more,
  });

describe.each(storeKinds)('two gateways that share a store of kind $name', ({ name, fresh }) => {
  let place: FreshPlace;
  let stores: readonly Store[];
  beforeAll(async () => {
    place = await fresh();
    const open = () => openStore({ ...place.place, log: silentLog });
    stores = name === 'server' ? [await open(), await open()] : [await open()];
  });
  afterAll(async () => {
    await Promise.all(stores.map((store) => store.close()));
    await place.remove();
  });

  const startBoth = (config: ReturnType<typeof testConfig>) =>
    Promise.all(
      [stores[0], stores.at(-1)].map((store) => startTestGateway(config, store && { db: store.db })),
    );

  it('together never exceed the cap of a user', { timeout: slowMs }, async () => {
    const both = await startBoth(testConfig(upstream.url, { accounts: [accountWith(3)], slots: 'database' }));
    await expectThreeAtOnce(both);
    await Promise.all(both.map((gateway) => gateway.close()));
  });

  it('accept the next request of a client after the last byte of an answer', {
    timeout: slowMs,
  }, async () => {
    const both = await startBoth(testConfig(upstream.url, { accounts: [accountWith(1)], slots: 'database' }));
    for (let i = 0; i < 60; i += 1) {
      upstream.fallback = i % 2 === 0 ? events(frames(['a', 'b'])) : completion('x'.repeat(i * 3_000));
      const body = { model: 'delta-3', messages, stream: i % 2 === 0 };
      expect((await both[i % 3 === 0 ? 0 : 1]?.chat(body, keyAt(i)))?.status).toBe(200);
    }
    await Promise.all(both.map((gateway) => gateway.close()));
  });

  it('hold no slot after a thousand requests with mixed endings', { timeout: slowMs }, async () => {
    const both = await startBoth(mixed({ slots: 'database' }));
    await endMany(both, 1_000);
    await expect.poll(() => held(both), { timeout: 5_000 }).toEqual([]);
    await Promise.all(both.map((gateway) => gateway.close()));
  });
});
