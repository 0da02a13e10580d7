import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { RealClock } from '../clock.ts';
import { type Pooler, startPooler } from '../testing/store/pooler.ts';
import { type FreshPlace, server, silentLog } from '../testing/store/test-stores.ts';
import type { Instances } from '../work/instances.ts';
import { createLeasedInstances } from '../work/leased-instances.ts';
import { openStore, type Store } from './store.ts';

describe.skipIf(server.isMissing)('PgBouncer', () => {
  let place: FreshPlace;
  let direct: string;
  const open: { remove(): Promise<void> }[] = [];
  const stores: Store[] = [];

  beforeAll(async () => {
    place = await server.fresh();
    direct = 'url' in place.place ? place.place.url : '';
  }, 60_000);
  afterAll(async () => {
    for (const store of stores) await store.close();
    for (const { remove } of [...open, place]) await remove();
  });

  const pooler = async (mode: 'transaction' | 'session'): Promise<Pooler> => {
    const made = await startPooler(direct, mode);
    open.push(made);
    return made;
  };
  const opened = async (urls: { url: string; sessionUrl?: string }): Promise<Store> => {
    const store = await openStore({ ...urls, log: silentLog });
    stores.push(store);
    return store;
  };
  /** Asserts that a lock of one store blocks the other until its release, and that notices are heard. */
  const expectSessions = async (one: Store, other: Store, name: string): Promise<void> => {
    const [holder, seeker] = [one, other].map(({ db, session }, n) => {
      if (session === null) throw new Error('a server has a session');
      return createLeasedInstances({ db, session, name: `${name}_${n}`, timer: new RealClock() });
    }) as [Instances, Instances];
    for (const one of [holder, seeker]) await one.join();
    // Other statements make the pooler reassign its connections.
    await Promise.all(Array.from({ length: 20 }, () => sql`select pg_sleep(0.01)`.execute(one.db)));
    const gone: string[] = [];
    const look = (): Promise<void> => seeker.forEachGone([holder.own], async (own) => void gone.push(own));
    await look();
    expect(gone).toEqual([]);
    await holder.leave();
    await look();
    expect(gone).toEqual([holder.own]);
    await seeker.leave();
    for (const { session } of [one, other])
      await vi.waitFor(() => expect(session?.isHeard).toBe(true), { timeout: 30_000 });
  };

  it('is rejected in transaction mode, unless sessions use a direct URL', {
    timeout: 60_000,
  }, async () => {
    const { url } = await pooler('transaction');
    await expect(opened({ url })).rejects.toThrow(
      /reached through a pooler in transaction mode.*session_url/,
    );
    await expect(opened({ url: direct, sessionUrl: url })).rejects.toThrow('in transaction mode');
    const one = await opened({ url, sessionUrl: direct });
    const other = await opened({ url, sessionUrl: direct });
    await expectSessions(one, other, 'transaction');
  });

  it('works in session mode like the server itself', { timeout: 60_000 }, async () => {
    const { url } = await pooler('session');
    await expectSessions(await opened({ url }), await opened({ url }), 'session');
  });
});
