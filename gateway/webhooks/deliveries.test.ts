import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { Webhook } from 'standardwebhooks';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { createStoreLink } from '../store/store-link.ts';
import { sized } from '../testing/sized.ts';
import {
  newEvent,
  retentionMs,
  type StartedWebhooks,
  type StartParts,
  startWebhooks,
} from '../testing/started-webhooks.ts';
import { storeOf } from '../testing/store/store-of.ts';
import { storeKinds } from '../testing/store/test-stores.ts';
import { startWebhookReceiver, status, type WebhookReceiver } from '../testing/webhook-receiver.ts';
import { sharedInstance } from '../testing/work/test-instances.ts';

const hour = 3_600_000;
const waitOptions = { timeout: 10_000, interval: 5 };
/** The waits before the attempts, in seconds (B-114). */
const waitsS = [0, 5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400];

describe.each(storeKinds)('events on a store of kind $name', ({ fresh }) => {
  let receiver: WebhookReceiver;
  const link = createStoreLink();
  const store = storeOf(fresh, link);
  const started: StartedWebhooks[] = [];
  beforeAll(async () => {
    receiver = await startWebhookReceiver();
  });
  afterEach(async () => {
    receiver.queue.splice(0);
    receiver.fallback = status(200);
    await Promise.all(started.splice(0).map((webhooks) => webhooks.close()));
    await store.db.deleteFrom('webhook_events').execute();
    await store.db.deleteFrom('webhook_secrets').execute();
  });
  afterAll(() => receiver.close());
  beforeEach(() => {
    receiver.events.length = 0;
  });
  const start = (parts: StartParts = {}): StartedWebhooks => {
    const webhooks = startWebhooks(store, { allowed: [receiver.host], ca: receiver.ca, ...parts });
    started.push(webhooks);
    return webhooks;
  };
  const addEvent = (webhooks: StartedWebhooks, taskId: string, changes = {}): Promise<void> =>
    webhooks.add([
      newEvent(taskId, `${receiver.url}/${encodeURIComponent(taskId)}`, webhooks.clock.now(), changes),
    ]);
  const answered = (webhooks: StartedWebhooks): Promise<void> => webhooks.idle(5_000);

  it("are sent once, signed with their account's secret, and then need no timer", async () => {
    const webhooks = start();
    const { secret } = await webhooks.rotate('acc', 0);
    await addEvent(webhooks, 'one');
    await answered(webhooks);
    expect(webhooks.clock.nextDue()).toBeNull();
    expect(receiver.events).toHaveLength(1);
    const [event] = receiver.events;
    const headers = Object.fromEntries(Object.entries(event?.headers ?? {}).map(([k, v]) => [k, String(v)]));
    expect(new Webhook(secret).verify(event?.text ?? '', headers)).toMatchObject({
      data: { task_id: 'one' },
    });
    const { id } = await webhooks.of('one');
    expect(id).toMatch(/^evt_[\w-]{22,}$/);
    expect(await webhooks.find(id)).toMatchObject({
      event: { state: 'delivered', attempts: 1, nextAtMs: null, endedAtMs: expect.any(Number) },
      attempts: [{ n: 1, status: 200, failure: null, isManual: false }],
      body: event?.text,
    });
    await webhooks.add([newEvent('one', receiver.url, webhooks.clock.now())]);
    await answered(webhooks);
    expect(receiver.events).toHaveLength(1);
  });

  it('are attempted over the whole schedule of 75 hours, each with its own timestamp, and then given up', async () => {
    const webhooks = start();
    const { secret } = await webhooks.rotate('acc', 0);
    receiver.fallback = status(500);
    const from = webhooks.clock.now();
    await addEvent(webhooks, 'patient');
    let jumps = 0;
    while ((await webhooks.next()) !== null) jumps += 1;
    expect(jumps).toBe(waitsS.length - 1);
    const { event, attempts } = (await webhooks.find((await webhooks.of('patient')).id)) ?? {};
    expect(event).toMatchObject({ state: 'given_up', attempts: waitsS.length, nextAtMs: null });
    let before = from;
    for (const [n, waitS] of waitsS.entries()) {
      const at = attempts?.[n]?.atMs ?? 0;
      expect(Math.abs(at - before - waitS * 1_000), `${n}`).toBeLessThanOrEqual(waitS * 100 + 2_000);
      before = at + (attempts?.[n]?.tookMs ?? 0);
      const { headers, text } = receiver.events[n] ?? {};
      expect(Number(headers?.['x-service-timestamp'])).toBe(Math.floor(at / 1_000));
      expect([headers?.['webhook-id'], text]).toEqual([event?.id, receiver.events[0]?.text]);
      const signed = new Webhook(secret).sign(event?.id ?? '', new Date(at), text ?? '');
      expect(headers?.['webhook-signature']).toBe(signed);
    }
    expect(before - from).toBeGreaterThan(0.9 * 75 * hour);
    // Its task was removed long ago; the event is kept for the same time after its own end.
    await webhooks.forgetOld();
    expect(await webhooks.search({ state: 'given_up' }, 9)).toHaveLength(1);
    await webhooks.clock.advance(retentionMs + 1_000);
    expect(await webhooks.search({}, 9)).toEqual([]);
    await webhooks.forgetOld();
    expect(await store.db.selectFrom('webhook_events').select('id').execute()).toEqual([]);
  });

  it.each([
    ['any status of 2xx', 299, 'delivered', null],
    ['a redirect', 307, 'pending', 'redirect'],
    ['a refusal', 400, 'pending', 'status'],
    ['410', 410, 'stopped', 'gone'],
  ] as const)('that are answered with %s are %3$s afterwards', async (_what, code, state, failure) => {
    const webhooks = start();
    receiver.queue.push(status(code, { location: `${receiver.url}/elsewhere` }));
    await addEvent(webhooks, 'answered');
    await answered(webhooks);
    expect(await webhooks.find((await webhooks.of('answered')).id)).toMatchObject({
      event: { state },
      attempts: [{ status: code, failure }],
    });
    expect(receiver.events.map((event) => event.path)).toEqual(['/answered']);
  });

  it('wait as long as a busy receiver requests, up to a limit', async () => {
    const webhooks = start({ limits: { retry_after_most_ms: 60_000 } });
    receiver.queue.push(
      status(429, { 'retry-after': '40' }),
      status(503, { 'retry-after': '9999' }),
      status(200),
    );
    const waits: number[] = [];
    await addEvent(webhooks, 'busy');
    await answered(webhooks);
    for (let now = webhooks.clock.now(); (await webhooks.next()) !== null; now = webhooks.clock.now())
      waits.push(webhooks.clock.now() - now);
    expect(waits).toEqual([expect.closeTo(40_000, -4), expect.closeTo(300_000, -5)]);
  });

  it('fail when the receiver is blocked, unreachable, unresolved or untrusted', async () => {
    const webhooks = start({
      ca: undefined as never,
      allowed: [receiver.host, '127.0.0.1:9', 'nowhere.test:443'],
    });
    const at = webhooks.clock.now();
    await webhooks.add([
      newEvent('tls', receiver.url, at),
      newEvent('connection', 'https://127.0.0.1:9/', at),
      newEvent('unresolved', 'https://nowhere.test/', at),
      newEvent('stopped', 'https://127.0.0.1:10/', at),
    ]);
    await answered(webhooks);
    for (const failure of ['tls', 'connection', 'unresolved'])
      expect(await webhooks.find((await webhooks.of(failure)).id)).toMatchObject({
        event: { state: 'pending' },
        attempts: [{ status: null, failure }],
      });
    expect(await webhooks.find((await webhooks.of('stopped')).id)).toMatchObject({
      event: { state: 'stopped' },
      attempts: [{ failure: 'blocked' }],
    });
    expect(receiver.events).toEqual([]);
  });

  it('are sent again on request, even during an attempt', async () => {
    const webhooks = start();
    const held: (() => void)[] = [];
    receiver.queue.push((response) => held.push(() => response.writeHead(410).end()));
    await addEvent(webhooks, 'again');
    const { id } = await webhooks.of('again');
    await vi.waitUntil(() => held.length === 1, waitOptions);
    expect(await webhooks.redeliver(id)).toMatchObject({ id, state: 'pending' });
    receiver.queue.push(status(500));
    held[0]?.();
    await answered(webhooks);
    expect(await webhooks.find(id)).toMatchObject({
      event: { state: 'pending' },
      attempts: [
        { n: 1, failure: 'gone', isManual: false },
        { n: 2, failure: 'status', isManual: true },
      ],
    });
    await webhooks.next();
    expect(await webhooks.find(id)).toMatchObject({ event: { state: 'delivered', attempts: 3 } });
    expect(new Set(receiver.events.map((event) => event.headers['webhook-id']))).toEqual(new Set([id]));
    expect(await webhooks.redeliver('evt_none')).toBeNull();
  });

  it('are recorded as sent after a database outage, and not sent twice during it', async () => {
    const webhooks = start();
    receiver.queue.push((response) => {
      void link.stop().then(() => response.end());
    });
    await addEvent(webhooks, 'cut off');
    await vi.waitUntil(() => receiver.events.length === 1, waitOptions);
    await webhooks.idle(50);
    link.start();
    await vi.waitUntil(async () => (await webhooks.of('cut off')).state === 'delivered', waitOptions);
    expect(receiver.events).toHaveLength(1);
  });

  it('continue, with the same id, only where another process has died', async () => {
    const isGone = (own: string) => own === 'gw_dead';
    const held: (() => void)[] = [];
    for (let n = 0; n < 2; n += 1) receiver.queue.push((response) => held.push(() => response.destroy()));
    const [dead, alive] = ['gw_dead', 'gw_alive'].map((own) =>
      start({ instances: sharedInstance(own, isGone) }),
    ) as [StartedWebhooks, StartedWebhooks];
    await addEvent(dead, 'orphan');
    await vi.waitUntil(() => receiver.events.length === 1, waitOptions);
    await addEvent(alive, 'looked after');
    await vi.waitUntil(() => receiver.events.length === 2, waitOptions);
    const heir = start({ instances: sharedInstance('gw_heir', isGone) });
    await heir.open();
    await vi.waitUntil(() => receiver.events.length === 3, waitOptions);
    await answered(heir);
    expect(await heir.of('orphan')).toMatchObject({ state: 'delivered', attempts: 1 });
    expect(await heir.of('looked after')).toMatchObject({ state: 'pending', attempts: 0 });
    const [first, , third] = receiver.events;
    expect([third?.headers['webhook-id'], third?.text]).toEqual([first?.headers['webhook-id'], first?.text]);
    for (const letGo of held) letGo();
  });

  it('reach every receiver that fails half of the time, each under one id', {
    timeout: 120_000,
  }, async () => {
    const count = sized(30, 1_000);
    const webhooks = start({ retentionMs: 1_000 * hour });
    const sent = new Map<string, { id: string; tries: number; good: number }>();
    receiver.fallback = (response, { path, headers }) => {
      const seen = sent.get(path) ?? { id: String(headers['webhook-id']), tries: 0, good: 0 };
      sent.set(path, seen);
      expect(headers['webhook-id']).toBe(seen.id);
      seen.tries += 1;
      // Half of the answers are errors, but at least one of ten attempts succeeds.
      const isGood = (Number(path.slice(2)) >> (seen.tries - 1)) % 2 === 1 || seen.tries === 10;
      if (isGood) seen.good += 1;
      status(isGood ? 200 : 500)(response, { path, headers, text: '', body: null, atMs: 0 });
    };
    const at = webhooks.clock.now();
    await webhooks.add(
      Array.from({ length: count }, (_, n) => newEvent(`t${n}`, `${receiver.url}/t${n}`, at)),
    );
    let jumps = 0;
    while ((await webhooks.next()) !== null) jumps += 1;
    expect(sent.size).toBe(count);
    expect([...sent.values()].filter(({ good }) => good !== 1)).toEqual([]);
    expect(new Set([...sent.values()].map(({ id }) => id)).size).toBe(count);
    expect(await webhooks.search({ state: 'delivered' }, count + 1)).toHaveLength(count);
    // Waits of one length end together; otherwise hundreds of clock jumps would be necessary.
    expect(jumps).toBeLessThan(60);
  });

  it('reach receivers that answer within a second, even while many others hang', async () => {
    const hanging = createServer((socket) => socket.on('error', () => {}));
    await new Promise<void>((resolve) => hanging.listen(0, '127.0.0.1', resolve));
    const { port } = hanging.address() as AddressInfo;
    const webhooks = start({
      allowed: [receiver.host, `127.0.0.1:${port}`],
      limits: { at_once: sized(60, 1_000), at_once_each: sized(2, 8) },
    });
    const hung = Array.from({ length: sized(45, 2_000) }, (_, n) => {
      const changes = { accountId: `hangs-${n % sized(30, 100)}` };
      return newEvent(`h${n}`, `https://127.0.0.1:${port}/`, webhooks.clock.now(), changes);
    });
    const deliver = async (round: number): Promise<number> => {
      receiver.events.length = 0;
      const events = Array.from({ length: 20 }, (_, n) =>
        newEvent(`${round}-${n}`, receiver.url, webhooks.clock.now(), {
          accountId: `well-${round}-${n % 5}`,
        }),
      );
      const began = Date.now();
      await webhooks.add(events);
      await receiver.waitFor(events.length);
      return Date.now() - began;
    };
    const alone = await deliver(0);
    await webhooks.add(hung);
    // On a busy machine everything takes longer; a wait for a hanging receiver would take 15 s.
    const max = alone + sized(5_000, 1_000);
    expect(await deliver(1)).toBeLessThan(max);
    // The second attempts at hanging receivers follow the first.
    await webhooks.clock.advance(15_000);
    await webhooks.idle(50);
    expect(await deliver(2)).toBeLessThan(max);
    hanging.close();
  });
});
