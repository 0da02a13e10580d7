import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { Logger } from 'pino';
import type { Clock } from '../clock.ts';
import type { Database } from '../store/database.ts';
import { createGoneLeases, type LeaseHolders, leaseOf } from './gone-leases.ts';
import type { Slot, Slots } from './slots.ts';

/** After this time slots are free again whose process nobody can tell to be gone. */
const defaultLeaseMs = 30_000;
/** An answer waits at most this long for the release of its slot. */
const releaseWaitMs = 2_000;
/** How often what could not be released is tried again: a user at his cap waits for it once the database is back. */
const againMs = 500;

export interface LeaseOptions {
  readonly db: Kysely<Database>;
  /** Real time, like the database's: leases do not follow the test clock. */
  readonly clock: Clock;
  readonly newId: () => string;
  readonly log: Pick<Logger, 'info' | 'warn'>;
  /** Which processes are gone; null where nobody can tell. */
  readonly holders?: LeaseHolders | null;
  /** Longer than any request can last. A lease that was never released is not renewed after it. */
  readonly maxMs: number;
  readonly leaseMs?: number;
}

/** A lease of this process. */
interface Lease {
  readonly userId: string;
  /** It is not renewed after this. */
  until: number;
  /** Others count it until then, at least. */
  countsUntil: number;
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

/** The database's clock in Unix milliseconds: all processes share it. */
const now = sql`(extract(epoch from clock_timestamp()) * 1000)::bigint`;

/**
 * Slots of several gateways on one database. A slot is a lease: its process releases it, or renews it while its
 * request lasts. If the process dies, the next one who needs the slot frees it, or the lease expires. A lease that expired during an outage of the database is
 * not renewed. So after a long outage a user may briefly exceed the cap.
 */
export function createLeaseSlots(options: LeaseOptions): LeaseSlots {
  const { db, clock, newId, log, maxMs, holders = null, leaseMs = defaultLeaseMs } = options;
  const freeGone = holders === null ? async () => false : createGoneLeases(db, holders, { clock, log });
  const mine = new Map<string, Lease>();
  let renewal: { cancel(): void } | null = null;
  const renewLater = (): void => {
    renewal ??= clock.schedule(leaseMs / 3, () => void renew());
  };
  const renew = async (): Promise<void> => {
    renewal = null;
    for (const [id, { until }] of mine) if (until <= clock.now()) mine.delete(id);
    const renewed = [...mine.values()];
    const countsUntil = clock.now() + leaseMs;
    await renewLeases(db, mine, leaseMs).then(
      () => {
        for (const lease of renewed) lease.countsUntil = countsUntil;
      },
      (error: unknown) => log.warn({ cause: error }, 'the leases of calls in flight could not be renewed'),
    );
    if (mine.size > 0) renewLater();
  };
  const left = createLeftLeases(db, clock, leaseMs);
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
    await atMost(done, releaseWaitMs, clock);
  };
  const slotOf = (id: string, lease: Lease): LeasedSlot => ({
    id,
    release: () => giveBack(lease.userId, [id]),
    takeAgain: () => {
      const now = clock.now();
      lease.until = now + maxMs;
      return now < lease.countsUntil - leaseMs / 3;
    },
  });
  return {
    take: async (userId, cap) => {
      const id = holders === null ? newId() : leaseOf(holders.own, newId());
      const countsUntil = clock.now() + leaseMs;
      const insert = (): Promise<boolean> =>
        insertLease(db, { userId, id, cap, leaseMs }).catch((error: unknown) => {
          // It may have been written all the same.
          left.add(userId, [id]);
          throw error;
        });
      if (!(await insert()) && !((await freeGone(userId)) && (await insert()))) return null;
      const lease = { userId, until: clock.now() + maxMs, countsUntil };
      mine.set(id, lease);
      renewLater();
      return slotOf(id, lease);
    },
    giveBack,
    held: async (userId) => {
      const [row] = await countLeases(db, sql`user_id = ${userId}`);
      return row?.held ?? 0;
    },
    all: () => countLeases(db, sql`true`),
    close: async () => left.stop(),
  };
}

/** Leases that nobody uses and that the database may still have, because it could not be asked to delete them. */
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
    const trying = all.filter(({ lapsesMs }) => lapsesMs > clock.now());
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
      all.push({ userId, ids, lapsesMs: clock.now() + leaseMs });
      later();
    },
    stop: () => again?.cancel(),
  };
}

/**
 * Takes a lease unless the user has `cap` of them. One statement locks the user's row before it counts, so that
 * concurrent calls count each other. It also deletes expired leases.
 */
async function insertLease(
  db: Kysely<Database>,
  lease: { userId: string; id: string; cap: number; leaseMs: number },
): Promise<boolean> {
  const { rows } = await sql`
    insert into slot_leases as known (user_id, leases)
    select ${lease.userId}::text, jsonb_build_object(${lease.id}::text, ${now} + ${lease.leaseMs}::bigint)
    where ${lease.cap}::integer > 0
    on conflict (user_id) do update
    set leases = excluded.leases || coalesce(
      (select jsonb_object_agg(key, value) from jsonb_each(known.leases) where value::bigint > ${now}), '{}')
    where (select count(*) from jsonb_each(known.leases) where value::bigint > ${now}) < ${lease.cap}::integer
    returning user_id`.execute(db);
  return rows.length === 1;
}

async function deleteLeases(db: Kysely<Database>, userId: string, ids: readonly string[]): Promise<void> {
  await sql`update slot_leases set leases = leases - ${ids}::text[] where user_id = ${userId}`.execute(db);
}

/** Locks rows in the order of users, so that two processes that renew at once cannot deadlock. */
async function renewLeases(
  db: Kysely<Database>,
  mine: ReadonlyMap<string, Lease>,
  leaseMs: number,
): Promise<void> {
  const ids = [...mine.keys()];
  const users = [...new Set([...mine.values()].map(({ userId }) => userId))];
  await sql`
    with known as (
      select user_id from slot_leases where user_id = any(${users}::text[]) order by user_id for update)
    update slot_leases as held
    set leases = coalesce((
      select jsonb_object_agg(key, case when key = any(${ids}::text[])
        then to_jsonb(${now} + ${leaseMs}::bigint) else value end)
      from jsonb_each(held.leases)), '{}')
    from known where held.user_id = known.user_id`.execute(db);
}

async function countLeases(
  db: Kysely<Database>,
  condition: RawBuilder<unknown>,
): Promise<{ userId: string; held: number }[]> {
  const { rows } = await sql<{ userId: string; held: number }>`
    select user_id as "userId", count(*)::integer as held
    from slot_leases, jsonb_each(leases) as lease
    where ${condition} and lease.value::bigint > ${now}
    group by user_id order by user_id collate "C"`.execute(db);
  return rows;
}

async function atMost(work: Promise<unknown>, ms: number, clock: Clock): Promise<void> {
  const done = new AbortController();
  await Promise.race([work, clock.sleep(ms, done.signal).catch(() => {})]);
  done.abort();
}
