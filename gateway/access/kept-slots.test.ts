import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { RealClock, TestClock } from '../clock.ts';
import { openStore, type Store } from '../store/store.ts';
import { server, silentLog } from '../testing/store/test-stores.ts';
import { createKeptSlots, type SlotRecall } from './kept-slots.ts';
import { createLeaseSlots, type LeaseSlots } from './lease-slots.ts';
import { recallByNotice } from './recall-by-notice.ts';
import { createMemorySlots, type Slot, type Slots } from './slots.ts';

const real = new RealClock();

/** Leases of all processes in one memory; records each call to the database. */
function sharedLeases(clock: TestClock): { leases: LeaseSlots; asked: string[]; lapse: () => void } {
  const asked: string[] = [];
  let isLapsed = false;
  const memory = createMemorySlots(clock, randomUUID, 600_000);
  const taken = new Map<string, Slot>();
  const leases: LeaseSlots = {
    ...memory,
    take: async (userId, cap) => {
      asked.push(`take ${userId}`);
      const slot = await memory.take(userId, cap);
      if (slot === null) return null;
      taken.set(slot.id, slot);
      return { ...slot, takeAgain: () => !isLapsed, release: () => leases.giveBack(userId, [slot.id]) };
    },
    giveBack: async (userId, ids) => {
      asked.push(`give back ${ids.length} of ${userId}`);
      for (const id of ids) await taken.get(id)?.release();
    },
  };
  return { leases, asked, lapse: () => (isLapsed = true) };
}

/** Recalls within one process: each hears the others at once. */
function recallsOf(count: number): (SlotRecall & { isHeard: boolean })[] {
  const hearers: ((userId: string) => void)[] = [];
  return Array.from({ length: count }, (_, own) => ({
    isHeard: true,
    ask: async (userId) => {
      for (const [other, hear] of hearers.entries()) if (other !== own) hear(userId);
    },
    onAsked: (give) => {
      hearers[own] = give;
    },
  }));
}

describe('slots kept between requests', () => {
  let clock: TestClock;
  let shared: ReturnType<typeof sharedLeases>;
  let recalls: ReturnType<typeof recallsOf>;
  let one: Slots;
  let other: Slots;
  beforeEach(() => {
    clock = new TestClock();
    shared = sharedLeases(clock);
    recalls = recallsOf(2);
    [one, other] = recalls.map((recall) => createKeptSlots(shared.leases, recall, clock)) as [Slots, Slots];
  });

  const use = async (times: number, cap = 2): Promise<void> => {
    for (let n = 0; n < times; n += 1) await (await one.take('u', cap))?.release();
  };
  const answer = async <One>(asked: Promise<One> | One): Promise<One> => {
    let isOver = false;
    void Promise.resolve(asked).finally(() => {
      isOver = true;
    });
    while (!isOver) await clock.advance(10);
    return asked;
  };

  it('are taken from the database once for a busy user, and every time for others', async () => {
    await use(64);
    expect(shared.asked).toHaveLength(128);
    await use(200);
    expect(shared.asked).toHaveLength(129);
    expect(await one.held('u')).toBe(0);
    expect(await one.all()).toEqual([]);
    const slot = await one.take('u', 2);
    expect(await one.held('u')).toBe(1);
    await slot?.release();
    await slot?.release();
    expect(await shared.leases.held('u')).toBe(1);
  });

  it('are released soon after their last use, and on close', async () => {
    await use(70);
    await clock.advance(600);
    expect(await shared.leases.held('u')).toBe(0);
    await use(70);
    expect(await shared.leases.held('u')).toBe(1);
    await one.close();
    expect(await shared.leases.held('u')).toBe(0);
  });

  it('go to another process that asks for them, and are not kept for a while afterwards', async () => {
    await use(70, 1);
    const slot = await answer(other.take('u', 1));
    expect(slot).not.toBeNull();
    expect(await answer(one.take('u', 1))).toBeNull();
    await slot?.release();
    await use(1, 1);
    expect(await shared.leases.held('u')).toBe(0);
  });

  it('are requested from other processes once a second; in between, a user at the cap is rejected at once', async () => {
    const slots = [await one.take('u', 2), await other.take('u', 2)];
    expect(await answer(one.take('u', 2))).toBeNull();
    const before = shared.asked.length;
    expect(await one.take('u', 2)).toBeNull();
    expect(shared.asked.length).toBe(before + 1);
    await slots[0]?.release();
    expect(await one.take('u', 2)).not.toBeNull();
  });

  it('are released when the cap changes', async () => {
    await use(70);
    expect(await one.take('u', 0)).toBeNull();
    expect(await shared.leases.held('u')).toBe(0);
  });

  it('are not reused when they may have lapsed during an outage', async () => {
    await use(70);
    shared.lapse();
    const before = shared.asked.length;
    await use(1);
    expect(shared.asked.slice(before, before + 2)).toEqual(['give back 1 of u', 'take u']);
  });

  it('are not kept by a process that receives no notices', async () => {
    for (const recall of recalls) recall.isHeard = false;
    await use(100);
    expect(shared.asked).toHaveLength(200);
  });
});

describe.skipIf(server.isMissing)('slots kept by two gateways on one server', () => {
  let place: Awaited<ReturnType<typeof server.fresh>>;
  let stores: Store[];
  beforeAll(async () => {
    place = await server.fresh();
    const open = () => openStore({ ...place.place, log: silentLog });
    stores = [await open(), await open()];
  });
  afterAll(async () => {
    await Promise.all(stores.map((store) => store.close()));
    await place.remove();
  });

  it('never exceed the cap, and starve neither gateway', async () => {
    const both = stores.map(({ db, session }, own) => {
      if (session === null) throw new Error('a server has a session');
      const leases = createLeaseSlots({ db, clock: real, newId: randomUUID, log: silentLog, maxMs: 60_000 });
      return createKeptSlots(leases, recallByNotice(session, `gw_${own}`), real);
    });
    await expect.poll(() => stores.every(({ session }) => session?.isHeard)).toBe(true);
    let inFlight = 0;
    let max = 0;
    const served = [0, 0];
    const work = async (own: number): Promise<void> => {
      for (let turn = 0; turn < 200; turn += 1) {
        const slot = (await both[own]?.take('busy', 3)) ?? null;
        if (slot === null) continue;
        inFlight += 1;
        max = Math.max(max, inFlight);
        served[own] = (served[own] ?? 0) + 1;
        await real.sleep(1);
        inFlight -= 1;
        await slot.release();
      }
    };
    await Promise.all(Array.from({ length: 8 }, (_, n) => work(n % 2)));
    expect(max).toBeLessThanOrEqual(3);
    expect(Math.min(...served)).toBeGreaterThan(20);
    await Promise.all(both.map((slots) => slots.close()));
    expect(await both[0]?.held('busy')).toBe(0);
  });
});
