import { type Kysely, sql } from 'kysely';
import type { Logger } from 'pino';
import { beforeDeadline } from '../before-deadline.ts';
import type { Clock } from '../clock.ts';
import type { Database } from '../store/database.ts';
import { refusesWrites } from '../store/write-check.ts';
import { inOwnName } from '../work/instances.ts';
import { createGoneLeases, type LeaseHolders, leaseOf } from './gone-leases.ts';
import { countLeases, deleteLeases, insertLease, renewLeases } from './lease-rows.ts';
import { createMemorySlots, type Slot, type Slots } from './slots.ts';

/** After this time, slots of a process that may be gone are free again. */
const defaultLeaseMs = 30_000;
/** An answer waits at most this long for the release of its slot. */
const releaseWaitMs = 2_000;
/** Under a new name a process tries so often to take the slots of its requests anew. */
const takenAnewTries = 3;
/** How often what could not be released is tried again: a user at his cap waits for it once the database is back. */
const againMs = 500;

export interface LeaseOptions {
  readonly db: Kysely<Database>;
  /** Real time, like the database's: leases do not follow the test clock. */
  readonly clock: Clock;
  readonly newId: () => string;
  readonly log: Pick<Logger, 'info' | 'warn'>;
  /** Which processes are gone; null when unknown. */
  readonly holders?: LeaseHolders | null;
  /** Longer than any request can last. A lease that was never released is not renewed after it. */
  readonly maxMs: number;
  readonly leaseMs?: number;
}

/** When a lease counts no more that went to another. */
const lost = Number.NEGATIVE_INFINITY;

/** A lease of this process. Times are monotonic. */
interface Lease {
  /** In the database. Another one where it was taken anew. */
  id: string;
  readonly userId: string;
  readonly cap: number;
  /** It is not renewed after this. */
  until: number;
  /** Others count it until then, at least. */
  countsUntil: number;
  /** Ends the request, if its slot is lost. */
  cut: () => void;
}

/** A slot that may be used for one request after the other. */
export interface LeasedSlot extends Slot {
  release(): Promise<void>;
  /** Whether it may be used again: not after an outage that kept it from being renewed. */
  takeAgain(): boolean;
}

export interface LeaseSlots extends Slots {
  take(userId: string, cap: number): Promise<LeasedSlot | null>;
  /** Releases slots of one user in one statement. */
  giveBack(userId: string, slotIds: readonly string[]): Promise<void>;
}

/**
 * Slots of several gateways on one database. A slot is a lease: its process releases it, or renews it while its
 * request lasts. If the process dies, the next one who needs the slot frees it, or the lease expires. A process that
 * others took for gone takes the slots of its requests anew as far as the cap allows, and cuts the other requests.
 */
export function createLeaseSlots(options: LeaseOptions): LeaseSlots {
  const { db, clock, newId, log, maxMs, holders = null, leaseMs = defaultLeaseMs } = options;
  const freeGone = holders === null ? async () => false : createGoneLeases(db, holders, { clock, log });
  const mine = new Map<string, Lease>();
  const left = createLeftLeases(db, clock, leaseMs);
  let renewal: { cancel(): void } | null = null;
  const renewLater = (): void => {
    renewal ??= clock.schedule(leaseMs / 3, () => void renew());
  };
  const freshId = (): string => (holders === null ? newId() : leaseOf(holders.own, newId()));
  /** Whether a lease is in the name that this process has now: others may free those in earlier ones. */
  const isOwn = (id: string): boolean => holders === null || id.startsWith(leaseOf(holders.own, ''));
  const insert = (userId: string, id: string, cap: number, replaces?: string): Promise<boolean> =>
    insertLease(db, { userId, id, cap, leaseMs, holder: holders?.own ?? null, replaces }).catch(
      (error: unknown) => {
        // It may have been written all the same.
        left.add(userId, [id]);
        throw error;
      },
    );
  const renewAll = async (): Promise<void> => {
    const all = [...mine.values()];
    const countsUntil = clock.monotonic() + leaseMs;
    const renewed = all.filter(({ id }) => isOwn(id));
    const found = await renewLeases(db, renewed, leaseMs);
    const missing = all.filter(({ id }) => !found.has(id) && mine.has(id));
    for (const lease of all) if (found.has(lease.id)) lease.countsUntil = countsUntil;
    // Each is tried, whatever becomes of the others.
    const failed = (await Promise.allSettled(missing.map(takeAnew))).find(
      ({ status }) => status === 'rejected',
    );
    if (failed?.status === 'rejected') throw failed.reason;
  };
  /** Of a lease that lapsed, or that others deleted, or may delete, because they took this process for gone. */
  const takeAnew = async (lease: Lease): Promise<void> => {
    const [before, id, countsUntil] = [lease.id, freshId(), clock.monotonic() + leaseMs];
    const isTaken = await insert(lease.userId, id, lease.cap, before);
    const isWanted = mine.delete(before);
    if (isTaken && isWanted) mine.set(id, Object.assign(lease, { id, countsUntil }));
    else if (isTaken) left.add(lease.userId, [id]);
    else if (isWanted) lose(lease);
  };
  const lose = (lease: Lease): void => {
    lease.countsUntil = lost;
    log.warn(
      { user: lease.userId },
      'a request is cut: its slot went to another while this process stood still',
    );
    lease.cut();
  };
  const renew = async (): Promise<void> => {
    renewal?.cancel();
    renewal = null;
    for (const [id, { until }] of mine) if (until <= clock.monotonic()) mine.delete(id);
    await renewAll().catch((error: unknown) =>
      log.warn({ cause: error }, 'the leases of calls in flight could not be renewed'),
    );
    if (mine.size > 0) renewLater();
  };
  holders?.onFenced(async () => {
    const stale = (): [string, Lease][] => [...mine].filter(([id]) => !isOwn(id));
    let tries = 0;
    do {
      await renew();
      tries += 1;
    } while (tries < takenAnewTries && stale().length > 0);
    // Others may have taken these.
    for (const [id, lease] of stale()) if (mine.delete(id)) lose(lease);
  });
  const giveBack = async (userId: string, ids: readonly string[]): Promise<void> => {
    const own = ids.filter((id) => mine.delete(id));
    if (own.length === 0) return;
    if (mine.size === 0) {
      renewal?.cancel();
      renewal = null;
    }
    const done = deleteLeases(db, userId, own).catch((error: unknown) => {
      log.warn({ cause: error }, 'a lease could not be given back and is tried again');
      left.add(userId, own);
    });
    await beforeDeadline(clock, releaseWaitMs, () => done);
  };
  const slotOf = (lease: Lease): LeasedSlot => ({
    get id() {
      return lease.id;
    },
    release: () => giveBack(lease.userId, [lease.id]),
    onLost: (cut) => {
      lease.cut = cut;
    },
    takeAgain: () => {
      const now = clock.monotonic();
      lease.until = now + maxMs;
      return now < lease.countsUntil - leaseMs / 3 && holders?.isCurrent !== false && isOwn(lease.id);
    },
  });
  const takeLeased = async (userId: string, cap: number): Promise<LeasedSlot | null> => {
    const countsUntil = clock.monotonic() + leaseMs;
    let id = '';
    const insertFresh = (): Promise<boolean> => {
      id = freshId();
      return insert(userId, id, cap);
    };
    const take = (): Promise<boolean> => (holders === null ? insertFresh() : inOwnName(holders, insertFresh));
    if (!(await take()) && !((await freeGone(userId)) && (await take()))) return null;
    const lease = { id, userId, cap, until: clock.monotonic() + maxMs, countsUntil, cut: () => {} };
    mine.set(id, lease);
    renewLater();
    const slot = slotOf(lease);
    // Taken for gone while it was asked for.
    if (!isOwn(id))
      await takeAnew(lease).catch((error: unknown) => {
        void slot.release();
        throw error;
      });
    return lease.countsUntil === lost ? null : slot;
  };
  /** Of this process alone: a database that only reads counts nothing, and reads are to go on. */
  const spare = createMemorySlots(clock, newId, maxMs);
  const takeSpare = async (userId: string, cap: number): Promise<LeasedSlot | null> => {
    const slot = await spare.take(userId, cap);
    return slot === null ? null : { ...slot, release: async () => slot.release(), takeAgain: () => false };
  };
  return {
    take: (userId, cap) =>
      takeLeased(userId, cap).catch((error: unknown) => {
        if (refusesWrites(error)) return takeSpare(userId, cap);
        throw error;
      }),
    giveBack,
    held: async (userId) => {
      const [row] = await countLeases(db, sql`user_id = ${userId}`);
      return row?.held ?? 0;
    },
    all: () => countLeases(db, sql`true`),
    close: async () => left.stop(),
  };
}

/** Unused leases that the database may still have, because a delete could not reach it. */
interface LeftLeases {
  add(userId: string, ids: readonly string[]): void;
  stop(): void;
}

/** Tries to delete them until it succeeds or they have lapsed. */
function createLeftLeases(db: Kysely<Database>, clock: Clock, leaseMs: number): LeftLeases {
  let all: { readonly userId: string; readonly ids: readonly string[]; readonly lapsesMs: number }[] = [];
  let again: { cancel(): void } | null = null;
  const later = (): void => {
    again ??= clock.schedule(againMs, () => void deleteAll());
  };
  const deleteAll = async (): Promise<void> => {
    const trying = all.filter(({ lapsesMs }) => lapsesMs > clock.monotonic());
    all = [];
    for (const [at, one] of trying.entries()) {
      try {
        await deleteLeases(db, one.userId, one.ids);
      } catch {
        all.push(...trying.slice(at));
        break;
      }
    }
    again = null;
    if (all.length > 0) later();
  };
  return {
    add: (userId, ids) => {
      all.push({ userId, ids, lapsesMs: clock.monotonic() + leaseMs });
      later();
    },
    stop: () => again?.cancel(),
  };
}
