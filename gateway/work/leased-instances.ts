import { type Kysely, sql } from 'kysely';
import type { Clock } from '../clock.ts';
import type { Database } from '../store/database.ts';
import type { Ask, ServerSession } from '../store/server-session.ts';
import type { Instances } from './instances.ts';

export interface LeasedInstancesParts {
  readonly db: Kysely<Database>;
  readonly session: Pick<ServerSession, 'keep'>;
  /** The unique id of this process. */
  readonly name: string;
  readonly timer: Pick<Clock, 'monotonic' | 'sleep'>;
}

/** A process that has not renewed its lease for this long is dead, even if its connections are open. */
export const processLeaseMs = 6_000;
/** After a database outage, other processes get this long to return before they are declared dead. */
export const graceMs = 3_000;
/** How long a rejected write waits for the process to register again. */
const rejoinMs = 5_000;
/** Distinguishes our advisory locks from those of other programs on the same database. */
const lockPrefix = 'gatecheck instance ';

/**
 * Processes that share a PostgreSQL server. Each renews a lease there, and its session holds a lock under its id. A killed
 * process loses the lock at once. A process whose host vanished, or that is stopped, loses its lease. Whoever detects this
 * deletes the lease first. The database then rejects writes under that id, also of a process that wakes up later.
 */
export function createLeasedInstances({ db, session, name, timer }: LeasedInstancesParts): Instances {
  const hearers: (() => Promise<void>)[] = [];
  const waiting = new Set<() => void>();
  let incarnation = 1;
  let own = name;
  let isLeft = false;
  let hasJoined = false;
  /** The new id is not registered yet, and the listeners have not been called. */
  let isUnheard = false;
  /** Number of running checks of what this process still owns. */
  let stocktakings = 0;
  let currentUntilMs = Number.NEGATIVE_INFINITY;
  let trustFromMs = Number.NEGATIVE_INFINITY;

  const goOnAnew = (): void => {
    incarnation += 1;
    own = `${name}.${incarnation}`;
  };
  const isCurrent = (): boolean => !isUnheard && stocktakings === 0 && timer.monotonic() < currentUntilMs;
  const goOn = (): void => {
    if (!isCurrent()) return;
    for (const wake of waiting) wake();
    waiting.clear();
  };
  const renew = async (ask: Ask): Promise<boolean> => {
    const askedMs = timer.monotonic();
    const rows = await ask(
      "update processes set lease_until = clock_timestamp() + $2 * interval '1 millisecond' where id = $1 returning id",
      [own, processLeaseMs],
    );
    if (rows.length === 0) return false;
    currentUntilMs = askedMs + processLeaseMs;
    goOn();
    return true;
  };
  /** Registers under an unused id. */
  const register = async (ask: Ask): Promise<void> => {
    while (!(await takeLock(ask, own))) goOnAnew();
    await ask("delete from processes where lease_until < clock_timestamp() - interval '1 hour'");
    await ask('insert into processes (id, lease_until) values ($1, clock_timestamp())', [own]);
    await renew(ask);
  };
  const comeBack = async (ask: Ask): Promise<void> => {
    if (!isUnheard && (await takeLock(ask, own)) && (await renew(ask))) return;
    isUnheard = true;
    goOnAnew();
    await register(ask);
    isUnheard = false;
    stocktakings += 1;
    // Not awaited: the session must continue, or the lease would expire again.
    void Promise.allSettled(hearers.map((hear) => hear())).then(() => {
      stocktakings -= 1;
      goOn();
    });
  };
  const joining = async (ask: Ask): Promise<void> => {
    if (isLeft) return;
    if (hasJoined) {
      await comeBack(ask);
      trustFromMs = timer.monotonic() + graceMs;
    } else await register(ask);
    hasJoined = true;
  };
  return {
    get own() {
      return own;
    },
    isShared: true,
    get isCurrent() {
      return isCurrent();
    },
    join: async () => {
      await session.keep({
        opened: joining,
        renew: async (ask) => {
          if (!isLeft && !(await renew(ask))) await comeBack(ask);
        },
        // Its lock may be lost too.
        lost: () => {
          currentUntilMs = Number.NEGATIVE_INFINITY;
        },
      });
    },
    rejoined: async (gone) => {
      const { promise, resolve } = Promise.withResolvers<void>();
      waiting.add(resolve);
      gone?.addEventListener('abort', resolve, { once: true });
      const enough = new AbortController();
      const late = timer.sleep(rejoinMs, enough.signal).then(() => {
        throw new Error('other processes counted this one as gone, and it could not register again');
      });
      late.catch(() => {});
      await Promise.race([promise, late]).finally(() => {
        enough.abort();
        waiting.delete(resolve);
        gone?.removeEventListener('abort', resolve);
      });
    },
    onFenced: (hear) => void hearers.push(hear),
    forEachGone: async (others, work) => {
      // A process that has just lost its own session cannot judge others.
      if (!isCurrent() || timer.monotonic() < trustFromMs) return;
      for (const gone of await fenceGone(db, others)) await work(gone);
    },
    leave: async () => {
      isLeft = true;
      // If this fails, the lease expires.
      await sql`delete from processes where id = ${own}`.execute(db).catch(() => {});
    },
  };
}

async function takeLock(ask: Ask, name: string): Promise<boolean> {
  const [row] = await ask('select pg_try_advisory_lock(hashtextextended($1, 0)) as taken', [
    lockPrefix + name,
  ]);
  return typeof row === 'object' && row !== null && 'taken' in row && row.taken === true;
}

/** Deletes the leases of dead processes, and returns all processes without a lease. */
async function fenceGone(db: Kysely<Database>, others: readonly string[]): Promise<string[]> {
  if (others.length === 0) return [];
  await sql`
    delete from processes where id = any(${others}::text[]) and (
      lease_until <= clock_timestamp()
      or not exists (
        select from pg_locks
        where locktype = 'advisory' and granted and objsubid = 1
          and database = (select oid from pg_database where datname = current_database())
          and (classid::bigint << 32 | objid::bigint) = hashtextextended(${lockPrefix} || processes.id, 0)))`.execute(
    db,
  );
  const { rows } = await sql<{ id: string }>`
    select other.id from unnest(${others}::text[]) as other(id)
    where not exists (select from processes where processes.id = other.id)`.execute(db);
  return rows.map(({ id }) => id);
}
