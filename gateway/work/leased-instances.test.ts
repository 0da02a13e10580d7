import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { RealClock } from '../clock.ts';
import { isFenced } from '../store/connection-failure.ts';
import { openStore, type Store } from '../store/store.ts';
import { type DatabaseRelay, type Direction, startDatabaseRelay } from '../testing/store/database-relay.ts';
import { type FreshPlace, server, silentLog } from '../testing/store/test-stores.ts';
import type { Instances } from './instances.ts';
import { createLeasedInstances, processLeaseMs } from './leased-instances.ts';

/** Processes check every second, after a lease has expired; the machine may be busy. */
const takenOverMs = 10_000;

// An embedded store belongs to one process.
describe.skipIf(server.isMissing)('processes on one server', { timeout: 120_000 }, () => {
  let fresh: FreshPlace;
  let relay: DatabaseRelay;
  const ends: (() => Promise<void>)[] = [];

  beforeAll(async () => {
    fresh = await server.fresh();
  });
  afterAll(async () => {
    for (const end of ends.reverse()) await end();
    await fresh.remove();
  });

  /** A process that connects through a relay, and one that connects directly. */
  async function two(): Promise<[Instances, Instances, Store, Store]> {
    const direct = 'url' in fresh.place ? fresh.place.url : '';
    relay = await startDatabaseRelay(direct);
    ends.push(() => relay.close());
    const [[one, its], [other, others]] = [await process(relay.url), await process(direct)];
    return [one, other, its, others];
  }
  async function process(url: string): Promise<[Instances, Store]> {
    const store = await openStore({ url, log: silentLog });
    ends.push(() => store.close());
    const { db, session } = store;
    if (session === null) throw new Error('a server has a session');
    const instances = createLeasedInstances({
      db,
      session,
      name: `gw_${ends.length}`,
      timer: new RealClock(),
    });
    await instances.join();
    return [instances, store];
  }
  const findGone = async (seeker: Instances, other: string): Promise<boolean> => {
    let isGone = false;
    await seeker.forEachGone([other], async () => {
      isGone = true;
    });
    return isGone;
  };
  const write = ({ db }: Store, own: string): Promise<unknown> =>
    sql`select demand_process(${own})`.execute(db);

  it('consider each other alive, and notice at once when one leaves', async () => {
    const [one, other] = await two();
    await new Promise((resolve) => setTimeout(resolve, processLeaseMs + 1_000));
    expect([await findGone(one, other.own), await findGone(other, one.own)]).toEqual([false, false]);
    await one.leave();
    expect(await findGone(other, one.own)).toBe(true);
  });

  it('are declared dead within ten seconds when their host vanishes, although no connection closes', async () => {
    const [lost, heir, , store] = await two();
    const beganAt = performance.now();
    relay.vanish();
    expect(await findGone(heir, lost.own)).toBe(false);
    await vi.waitFor(async () => expect(await findGone(heir, lost.own)).toBe(true), {
      timeout: 30_000,
      interval: 200,
    });
    expect(performance.now() - beganAt).toBeLessThan(takenOverMs);
    await expect(write(store, lost.own)).rejects.toSatisfy(isFenced);
  });

  it.each<[Direction]>([['there'], ['back']])(
    'are gone when nothing goes %s, write nothing in that name from then on, and come back under another',
    async (direction) => {
      const [cut, heir, store] = await two();
      const before = cut.own;
      const fenced = vi.fn(async () => {});
      cut.onFenced(fenced);
      relay.hold(direction);
      await vi.waitFor(async () => expect(await findGone(heir, before)).toBe(true), {
        timeout: 30_000,
        interval: 200,
      });
      expect(cut.isCurrent).toBe(false);
      relay.hold(null);
      await vi.waitFor(() => expect(cut.isCurrent).toBe(true), { timeout: 30_000 });
      expect(cut.own).not.toBe(before);
      expect(fenced).toHaveBeenCalledTimes(1);
      await expect(write(store, before)).rejects.toSatisfy(isFenced);
      await write(store, cut.own);
      expect(await findGone(heir, cut.own)).toBe(false);
    },
  );
});
