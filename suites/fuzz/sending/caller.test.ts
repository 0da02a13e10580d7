import { createServer, type ServerResponse } from 'node:http';
import { afterEach, expect, it } from 'vitest';
import { listenOnLoopback } from '../../process/loopback.ts';
import { minimalProfile } from '../../profile/load-profile.ts';
import { createWireClient } from '../../wire/client.ts';
import { keySlot } from '../grammar/subject.ts';
import { Caller } from './caller.ts';
import { Spending } from './spending.ts';
import { usersOf } from './users.ts';

const ends: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0)) await end();
});

async function callerOf(answer: (call: number, response: ServerResponse) => void, most = 1_000) {
  const seen: { url: string; authorization: string }[] = [];
  let [inFlight, widest] = [0, 0];
  const server = createServer((request, response) => {
    inFlight += 1;
    widest = Math.max(widest, inFlight);
    response.once('close', () => {
      inFlight -= 1;
    });
    seen.push({ url: request.url ?? '', authorization: request.headers.authorization ?? '' });
    request.resume();
    request.on('end', () => answer(seen.length, response));
  });
  const profile = minimalProfile(`http://127.0.0.1:${await listenOnLoopback(server)}`, 'sk-app-mine-1');
  const client = createWireClient(profile);
  ends.push(
    () => client.close(),
    () => server.close(),
  );
  let sent = 0;
  const caller = new Caller({
    ...{ client, users: usersOf(profile), timeoutMs: 5_000, signal: new AbortController().signal },
    spend: () => ++sent <= most,
    pay: () => undefined,
  });
  return { caller, seen, widest: () => widest };
}

const draft = {
  method: 'POST',
  path: `/x?key=${keySlot}`,
  headers: { authorization: `Bearer ${keySlot}` },
  body: Buffer.from('{}'),
};

const busy = JSON.stringify({ error: { code: 'concurrency_exceeded' } });

it('fills the key into its slot, and stays below the cap', async () => {
  const { caller, seen, widest } = await callerOf((_, response) => setTimeout(() => response.end('{}'), 20));
  await Promise.all(Array.from({ length: 9 }, () => caller.send(draft, 'x')));
  expect(seen[0]).toEqual({ url: '/x?key=sk-app-mine-1', authorization: 'Bearer sk-app-mine-1' });
  expect(seen).toHaveLength(9);
  expect(widest()).toBe(2);
});

it('retries after a refusal for load, and judges the final answer', async () => {
  const { caller } = await callerOf((call, response) => {
    if (call < 3) response.writeHead(429, { 'retry-after': '0' }).end(busy);
    else response.writeHead(400).end('{}');
  });
  expect((await caller.send(draft, 'x'))?.response?.status).toBe(400);
  expect(caller.waited).toBe(2);
});

it('sends nothing once its budget is spent', async () => {
  const { caller, seen } = await callerOf((_, response) => response.end('{}'), 1);
  expect(await caller.send(draft, 'x')).not.toBeNull();
  expect(await caller.send(draft, 'x')).toBeNull();
  expect(seen).toHaveLength(1);
});

it('stops a run that must not pay when the deployment accepts what it had to refuse', () => {
  const pricing = minimalProfile('http://x', 'sk-app-mine-1').pricing;
  const spending = new Spending({ mayPay: false, before: 0, pricing });
  const tokens = {
    prompt_tokens: 1,
    completion_tokens: 1,
    cached_tokens: 0,
    cache_write_5m_tokens: 0,
    cache_write_1h_tokens: 0,
  };
  for (let call = 0; call < 25; call += 1) {
    expect(spending.spend()).toBe(true);
    spending.pay({ model: 'delta-3', tokens });
  }
  expect(spending.spend()).toBe(false);
  expect(spending.over).toMatch(/must not pay/);
});
