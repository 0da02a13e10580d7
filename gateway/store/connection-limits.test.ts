import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type DatabaseRelay, startDatabaseRelay } from '../testing/store/database-relay.ts';
import { type FreshPlace, server, silentLog } from '../testing/store/test-stores.ts';
import { noticeChannel } from './server-session.ts';
import { openStore, type Store } from './store.ts';

const connections = 4;
const longMs = 30_000;

describe.skipIf(server.isMissing)('a store with limits', () => {
  let place: FreshPlace;
  let relay: DatabaseRelay;
  let observer: Store;
  const open = (limits: { connectTimeoutMs: number; statementTimeoutMs: number }): Promise<Store> =>
    openStore({ url: relay.url, limits: { connections, ...limits }, log: silentLog });

  beforeAll(async () => {
    place = await server.fresh();
    const direct = 'url' in place.place ? place.place.url : '';
    observer = await openStore({ url: direct, log: silentLog });
    relay = await startDatabaseRelay(direct);
  }, 60_000);
  afterAll(async () => {
    await observer.close();
    await relay.close();
    await place.remove();
  });

  it('opens at most the configured connections under load, plus one for notices', async () => {
    const store = await open({ connectTimeoutMs: longMs, statementTimeoutMs: longMs });
    const before = await sessions();
    let most = 0;
    let isOver = false;
    const watching = (async () => {
      while (!isOver) most = Math.max(most, (await sessions()) - before);
    })();
    const sleeps = Array.from({ length: 100 }, () => sql`select pg_sleep(0.02)`.execute(store.db));
    await Promise.all(sleeps);
    isOver = true;
    await watching;
    most = Math.max(most, (await sessions()) - before);
    await store.close();
    // The connection for notices may be counted in `before` or open during the loop.
    expect(most).toBeGreaterThanOrEqual(connections - 1);
    expect(most).toBeLessThanOrEqual(connections + 1);
  });

  it('cancels statements that exceed the timeout, on the server too', async () => {
    const store = await open({ connectTimeoutMs: longMs, statementTimeoutMs: 200 });
    await expect(sql`select pg_sleep(60)`.execute(store.db)).rejects.toThrow('statement timeout');
    await vi.waitFor(async () => expect(await sleeping()).toBe(0n), { timeout: longMs });
    await store.close();
  });

  it('replaces silent connections, so that no later statement hangs, and hears notices again', {
    timeout: 120_000,
  }, async () => {
    const store = await open({ connectTimeoutMs: longMs, statementTimeoutMs: 3_000 });
    const some = (): Promise<unknown>[] =>
      Array.from({ length: connections }, () => sql`select pg_sleep(0.01)`.execute(store.db));
    await Promise.all(some());
    const heard: string[] = [];
    store.session?.onNotice((text) => heard.push(text));
    const isHeard = (is: boolean): Promise<void> =>
      vi.waitFor(() => expect(store.session?.isHeard).toBe(is), { timeout: longMs, interval: 20 });
    await isHeard(true);
    relay.freeze();
    const lost = isHeard(false);
    const unanswered = await Promise.allSettled(some());
    expect(unanswered.map(({ status }) => status)).toEqual(unanswered.map(() => 'rejected'));
    // By now every connection of the pool is new.
    const answered = await Promise.allSettled(some());
    expect(answered.map(({ status }) => status)).toEqual(answered.map(() => 'fulfilled'));
    await lost;
    await isHeard(true);
    await sql`select pg_notify(${noticeChannel}, 'after silence')`.execute(observer.db);
    await vi.waitFor(() => expect(heard).toEqual(['after silence']), { timeout: longMs });
    await store.close();
  });

  it('ends silent connections long before the timeout, the idle ones as well, and leaves long statements alone', {
    timeout: 120_000,
  }, async () => {
    const store = await open({ connectTimeoutMs: longMs, statementTimeoutMs: 60_000 });
    const sleep = (seconds: number): Promise<unknown> => sql`select pg_sleep(${seconds})`.execute(store.db);
    await Promise.all(Array.from({ length: connections }, () => sleep(0.01)));
    await vi.waitFor(() => expect(store.session?.isHeard).toBe(true), { timeout: longMs, interval: 20 });
    await sleep(8);
    relay.freeze();
    const began = performance.now();
    await expect(sleep(0.01)).rejects.toThrow();
    expect(performance.now() - began).toBeLessThan(30_000);
    const again = performance.now();
    // Any of the others would be silent as well.
    for (let n = 0; n < connections; n += 1) await sleep(0.01);
    expect(performance.now() - again).toBeLessThan(2_500);
    await store.close();
  });

  async function sessions(): Promise<number> {
    const { rows } = await sql<{ count: bigint }>`
      select count(*) from pg_stat_activity where datname = current_database()`.execute(observer.db);
    return Number(rows[0]?.count);
  }

  async function sleeping(): Promise<bigint | undefined> {
    const { rows } = await sql<{ count: bigint }>`
      select count(*) from pg_stat_activity where state = 'active' and query = 'select pg_sleep(60)'`.execute(
      observer.db,
    );
    return rows[0]?.count;
  }
});
