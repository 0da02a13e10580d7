import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { join } from 'node:path';
import { type DatabaseConnection, DummyDriver } from 'kysely';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type Clock, RealClock, TestClock } from '../clock.ts';
import { openStore, type Store } from '../store/store.ts';
import { createStoreLink } from '../store/store-link.ts';
import { noDatabase } from '../testing/no-database.ts';
import { type FreshPlace, type StorePlace, silentLog, storeKinds } from '../testing/store/test-stores.ts';
import { sharedInstance, sleepingInstance } from '../testing/work/test-instances.ts';
import { createLeasedInstances } from '../work/leased-instances.ts';
import { createLeaseSlots, type LeaseOptions, type LeaseSlots } from './lease-slots.ts';
import type { Slot, Slots } from './slots.ts';

const real = new RealClock();
/** The clock of a dead process: no timer fires. */
const stopped: Clock = {
  now: () => real.now(),
  schedule: () => ({ cancel: () => {} }),
  sleep: () => new Promise(() => {}),
  monotonic: () => 0,
  nextDue: () => null,
};

const slotsIn = (db: LeaseOptions['db'], more: Partial<LeaseOptions> = {}): LeaseSlots =>
  createLeaseSlots({ db, clock: real, newId: randomUUID, log: silentLog, maxMs: 60_000, ...more });

describe.each(storeKinds)('leases in a store of kind $name', ({ name, fresh }) => {
  let place: FreshPlace;
  /** Two gateways on one server; an embedded store has one. */
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

  const slotsOn = (store: Store | undefined, more: Partial<LeaseOptions> = {}): Slots => {
    if (store === undefined) throw new Error('there is no such store');
    return slotsIn(store.db, more);
  };
  const gateways = (more?: Partial<LeaseOptions>): [Slots, Slots] => [
    slotsOn(stores[0], more),
    slotsOn(stores.at(-1), more),
  ];

  it('gives a user as many slots as the cap over all gateways', async () => {
    const [one, other] = gateways();
    expect(await one.take('u', 2)).not.toBeNull();
    const second = await other.take('u', 2);
    expect(second).not.toBeNull();
    expect(await one.take('u', 2)).toBeNull();
    expect(await one.take('someone else', 2)).not.toBeNull();
    await second?.release();
    await second?.release();
    expect(await one.held('u')).toBe(1);
    expect(await one.take('u', 2)).not.toBeNull();
    expect(await other.all()).toEqual([
      { userId: 'someone else', held: 1 },
      { userId: 'u', held: 2 },
    ]);
    expect(await one.take('with no cap', 0)).toBeNull();
  });

  it('never exceeds the cap when two gateways take slots at once, and loses no slot', async () => {
    const both = gateways();
    for (let round = 0; round < 20; round += 1) {
      const user = `round-${round}`;
      const taken = await Promise.all(
        Array.from({ length: 40 }, (_, i) => both[i % 2 === 0 ? 0 : 1].take(user, 3)),
      );
      const held = taken.filter((slot) => slot !== null);
      expect(held).toHaveLength(3);
      await Promise.all(held.map((slot) => slot.release()));
      expect(await both[0].held(user)).toBe(0);
    }
  });

  it('never has more requests in flight than the cap while slots are taken and released', async () => {
    const both = gateways();
    let inFlight = 0;
    let max = 0;
    let served = 0;
    const work = async (slots: Slots): Promise<void> => {
      for (let i = 0; i < 25; i += 1) {
        const slot = await slots.take('busy', 3);
        if (slot === null) continue;
        inFlight += 1;
        max = Math.max(max, inFlight);
        served += 1;
        await real.sleep(1);
        // Before the release: from then on another request may count.
        inFlight -= 1;
        await slot.release();
      }
    };
    await Promise.all(Array.from({ length: 16 }, (_, i) => work(both[i % 2 === 0 ? 0 : 1])));
    expect(max).toBeLessThanOrEqual(3);
    expect(served).toBeGreaterThan(20);
    expect(await both[0].held('busy')).toBe(0);
  });

  it('are released as soon as the database is back, whether or not the statement had run', async () => {
    const link = createStoreLink();
    const cut = await (name === 'server' ? openStore({ ...place.place, log: silentLog, link }) : null);
    if (cut === null) return;
    const slots = slotsOn(cut);
    const taken = await Promise.all([1, 2, 3].map(() => slots.take('cut off', 3)));
    await link.stop();
    await Promise.all(taken.map((slot) => slot?.release()));
    await expect(slots.take('cut off', 3)).rejects.toThrow();
    expect(await slotsOn(stores[0]).held('cut off')).toBe(3);
    link.start();
    await expect.poll(() => slotsOn(stores[0]).held('cut off'), { timeout: 5_000 }).toBe(0);
    await slots.close();
    await cut.close();
  });

  it('counts slots above a cap that was lowered', async () => {
    const [one, other] = gateways();
    const slots = await Promise.all([1, 2, 3, 4, 5].map(() => one.take('lowered', 5)));
    await Promise.all(slots.slice(0, 2).map((slot) => slot?.release()));
    expect(await other.take('lowered', 3)).toBeNull();
    await slots[2]?.release();
    expect(await other.take('lowered', 3)).not.toBeNull();
  });

  it('renews the slots in flight and takes back those of a dead gateway', async () => {
    const [, alive] = gateways({ leaseMs: 1_500 });
    const dead = slotsOn(stores[0], { leaseMs: 1_500, clock: stopped });
    const kept = await alive.take('kept', 1);
    await dead.take('lost', 1);
    expect(await alive.take('lost', 1)).toBeNull();
    await expect.poll(() => alive.take('lost', 1), { interval: 50, timeout: 10_000 }).not.toBeNull();
    expect(await alive.take('kept', 1)).toBeNull();
    expect(await alive.held('kept')).toBe(1);
    await kept?.release();
    expect(await alive.held('kept')).toBe(0);
  });

  it('gives the slots of a process that is gone to all concurrent requests', async () => {
    const dead = slotsOn(stores[0], {
      clock: stopped,
      holders: sharedInstance('gw_dead'),
    });
    for (let taken = 0; taken < 3; taken += 1) await dead.take('widow', 3);
    const forEachGone = async (others: readonly string[], work: (gone: string) => Promise<void>) => {
      // The other requests arrive meanwhile.
      if (others.length > 0) await real.sleep(100);
      for (const other of others) await work(other);
    };
    const living = slotsOn(stores.at(-1), { holders: { ...sharedInstance('gw_living'), forEachGone } });
    const taken = await Promise.all([1, 2, 3].map(() => living.take('widow', 3)));
    expect(taken).not.toContain(null);
    await Promise.all(taken.map((slot) => slot?.release()));
    expect(await living.held('widow')).toBe(0);
  });

  it('moves slots in flight to the new name of their process, whatever the cap, and cuts requests whose slot is lost', async () => {
    const { holders, comeBack } = sleepingInstance('gw_slept');
    const slept = slotsOn(stores[0], { holders });
    const moved = [await slept.take('moved', 2), await slept.take('moved', 2), await slept.take('moved', 3)];
    await moved[0]?.release();
    await comeBack();
    const heirs = { holders: sharedInstance('gw_heir', (other) => other.startsWith('gw_slept')) };
    const heir = slotsOn(stores.at(-1), heirs);
    const cut = vi.fn();
    (await slept.take('robbed', 1))?.onLost(cut);
    expect(await heir.held('moved')).toBe(2);
    expect(await heir.take('robbed', 1)).not.toBeNull();
    expect(await heir.held('moved')).toBe(0);
    await comeBack();
    expect(cut).toHaveBeenCalledTimes(1);
    expect(await heir.held('moved')).toBe(2);
    await Promise.all(moved.map((slot) => slot?.release()));
    expect(await heir.held('moved')).toBe(0);
  });

  it('stops renewing a slot that was never released', async () => {
    const [slots] = gateways({ leaseMs: 300, maxMs: 1 });
    expect(await slots.take('forgotten', 1)).not.toBeNull();
    await expect.poll(() => slots.take('forgotten', 1), { interval: 50, timeout: 10_000 }).not.toBeNull();
  });

  it('leaves no lease behind when two gateways renew and release at once', async () => {
    const both = gateways({ leaseMs: 60 });
    const held: Slot[] = [];
    for (let i = 0; i < 60; i += 1) {
      const slot = await both[i % 2 === 0 ? 0 : 1].take(`user-${i % 7}`, 50);
      if (slot !== null) held.push(slot);
      if (i % 3 === 0) await held.shift()?.release();
    }
    await Promise.all(held.map((slot) => slot.release()));
    for (let user = 0; user < 7; user += 1) expect(await both[0].held(`user-${user}`)).toBe(0);
  });
});

/** Starts a process that holds three slots of the user `u`. */
async function startHolder(place: StorePlace, leaseMs: number): Promise<ChildProcess> {
  const fixture = join(import.meta.dirname, '../testing/access/take-leases.ts');
  const args = [fixture, JSON.stringify(place), 'u', '3', String(leaseMs)];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  await once(child.stdout, 'data');
  return child;
}

describe.each(storeKinds)('a process on a store of kind $name', ({ name, fresh }) => {
  it('loses its slots after it is killed', { timeout: 60_000 }, async () => {
    const { place, remove } = await fresh();
    const leaseMs = 2_000;
    const child = await startHolder(place, leaseMs);
    // On a server the others count these slots as long as the process lives, however short the lease.
    const before = name === 'server' ? await openStore({ ...place, log: silentLog }) : null;
    if (before !== null) {
      const seen = slotsIn(before.db);
      await real.sleep(leaseMs + 500);
      expect(await seen.take('u', 3)).toBeNull();
    }
    child.kill('SIGKILL');
    await once(child, 'exit');
    const killedAt = Date.now();
    const store = before ?? (await openStore({ ...place, log: silentLog }));
    const slots = slotsIn(store.db);
    await expect.poll(() => slots.held('u'), { interval: 50, timeout: 10_000 }).toBe(0);
    expect(Date.now() - killedAt).toBeLessThan(leaseMs + 5_000);
    expect(await slots.take('u', 3)).not.toBeNull();
    await store.close();
    await remove();
  });
});

describe.each(storeKinds.filter(({ name }) => name === 'server'))('on a server', ({ fresh }) => {
  it('slots of a killed process are free at once, those of a live one are not', {
    timeout: 60_000,
  }, async () => {
    const { place, remove } = await fresh();
    // The leases are so long that only the process lock can have freed a slot.
    const child = await startHolder(place, 60_000);
    const store = await openStore({ ...place, log: silentLog });
    const { db, session } = store;
    if (session === null) throw new Error('a server has a session');
    const name = `gw_${randomUUID()}`;
    const instances = createLeasedInstances({ db, session, name, timer: real });
    await instances.join();
    const slots = slotsIn(store.db, { holders: instances });
    expect(await slots.take('u', 3)).toBeNull();
    child.kill('SIGKILL');
    await once(child, 'exit');
    await expect.poll(() => slots.take('u', 3), { interval: 100, timeout: 10_000 }).not.toBeNull();
    expect(await slots.held('u')).toBe(1);
    await instances.leave();
    await store.close();
    await remove();
  });
});

/** A database that answers every query by calling `ask`. */
function answering(ask: () => Promise<never>): LeaseOptions['db'] {
  class Driver extends DummyDriver {
    override async acquireConnection(): Promise<DatabaseConnection> {
      return { executeQuery: ask, streamQuery: () => [].values() as never };
    }
  }
  return noDatabase(new Driver());
}

it('limits how long an answer waits for a slot that cannot be released', async () => {
  let isSilent = false;
  const db = answering(() =>
    isSilent ? new Promise(() => {}) : Promise.resolve({ rows: [{ user_id: 'u' }] } as never),
  );
  const clock = new TestClock(() => 0);
  const slot = await slotsIn(db, { clock }).take('u', 3);
  isSilent = true;
  let isOver = false;
  const release = slot?.release().then(() => (isOver = true));
  await clock.advance(1_900);
  expect(isOver).toBe(false);
  await clock.advance(200);
  await release;
  expect(isOver).toBe(true);
  expect(clock.nextDue()).toBeNull();
});

it('still admits up to the cap in this process when the database is read-only', async () => {
  const error = Object.assign(new pg.DatabaseError('read-only', 1, 'error'), { code: '25006' });
  const slots = slotsIn(answering(() => Promise.reject(error)));
  const taken = [await slots.take('u', 2), await slots.take('u', 2), await slots.take('u', 2)];
  expect(taken.map((slot) => slot !== null)).toEqual([true, true, false]);
  await taken[0]?.release();
  expect(await slots.take('u', 2)).not.toBeNull();
  await slots.close();
});
