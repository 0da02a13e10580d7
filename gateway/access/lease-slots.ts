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
/** How often a process with a new name tries to retake the slots of its requests. */
const takenAnewTries = 3;
/** Wait before a failed release is tried again: a user at the cap waits for it once the database is back. */
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

/** The end of a lease that another process has taken. */
const lost = Number.NEGATIVE_INFINITY;

/** A lease of this process. Times are monotonic. */
interface Lease {
  /** The id in the database. It changes when the lease is retaken. */
  id: string;
  readonly userId: string;
  readonly cap: number;
  /** The lease is not renewed after this time. */
  until: number;
  /** Other processes count the lease at least until this time. */
  countsUntil: number;
  /** Ends the request, if its slot is lost. */
  cut: () => void;
}

/** A slot that successive requests may reuse. */
export interface LeasedSlot extends Slot {
  release(): Promise<void>;
  /** Whether it may be reused. False after an outage that kept it from being renewed. */
  takeAgain(): boolean;
}

export interface LeaseSlots extends Slots {
  take(userId: string, cap: number): Promise<LeasedSlot | null>;
  /** Releases slots of one user in one statement. */
  giveBack(userId: string, slotIds: readonly string[]): Promise<void>;
}

/**
 * Slots of several gateways on one database. A slot is a lease: its process releases it, or renews it while its request
 * lasts. If the process dies, the next request that needs the slot frees it, or the lease expires. A process that others
 * declared gone retakes the slots of its requests as far as the cap allows, and cuts the other requests.
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
  /** Whether a lease carries the current name of this process: others may free leases with earlier names. */
  const isOwn = (id: string): boolean => holders === null || id.startsWith(leaseOf(holders.own, ''));
  const insert = (userId: string, id: string, cap: number, replaces?: string): Promise<boolean> =>
    insertLease(db, { userId, id, cap, leaseMs, holder: holders?.own ?? null, replaces }).catch(
      (error: unknown) => {
        // The row may have been written despite the error.
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
    // Every lease is tried, even if another one fails.
    const failed = (await Promise.allSettled(missing.map(takeAnew))).find(
      ({ status }) => status === 'rejected',
    );
    if (failed?.status === 'rejected') throw failed.reason;
  };
  /** Retakes a lease that has lapsed, or that others may delete because they declared this process gone. */
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
    // Others may have taken these slots.
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
    // This process was declared gone while the lease was being taken.
    if (!isOwn(id))
      await takeAnew(lease).catch((error: unknown) => {
        void slot.release();
        throw error;
      });
    return lease.countsUntil === lost ? null : slot;
  };
  /** Slots of this process alone: a read-only database counts nothing, and reads must still work. */
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

/** Unused leases that may still be in the database because a delete failed. */
interface LeftLeases {
  add(userId: string, ids: readonly string[]): void;
  stop(): void;
}

/** Retries the deletes until they succeed or the leases have lapsed. */
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
