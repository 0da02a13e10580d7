import { type Kysely, sql } from 'kysely';
import type { Database } from '../store/database.ts';
import type { Instances } from './instances.ts';

type Connection = Kysely<Database>;

/** Distinguishes our advisory locks from those of other programs on the same database. */
const lockPrefix = 'gatecheck instance ';

/**
 * Processes that share a PostgreSQL server. Each process keeps a connection that holds an advisory lock in its
 * name. When the process dies, the server releases the lock at once. A process that only lost its connection seems
 * gone until it reconnects. If the hold of a request in flight is released then, the request is still charged when
 * it ends.
 */
export function createLockedInstances(db: Kysely<Database>, own: string): Instances {
  let leave = (): void => {};
  let left: Promise<void> = Promise.resolve();
  let connection: Connection | null = null;

  const join = async (): Promise<Connection> => {
    const { promise: leaving, resolve } = Promise.withResolvers<void>();
    const joined = Promise.withResolvers<Connection>();
    leave = resolve;
    left = db
      .connection()
      .execute(async (one) => {
        if (!(await takeLock(one, own))) throw new Error(`the lock of ${own} is taken`);
        joined.resolve(one);
        await leaving;
        // A broken connection has lost the lock already.
        await releaseLock(one, own).catch(() => {});
      })
      .catch((error: unknown) => joined.reject(error));
    connection = await joined.promise;
    return connection;
  };
  let finding: Promise<Connection> | null = null;
  /** The connection with the lock, reopened if it broke. Concurrent callers share one attempt. */
  const joined = (): Promise<Connection> => {
    finding ??= findConnection().finally(() => {
      finding = null;
    });
    return finding;
  };
  const findConnection = async (): Promise<Connection> => {
    if (connection !== null) {
      const isWell = await sql`select 1`.execute(connection).then(
        () => true,
        () => false,
      );
      if (isWell) return connection;
      connection = null;
      leave();
      await left;
    }
    return join();
  };
  return {
    own,
    isShared: true,
    join: async () => {
      await joined();
    },
    forEachGone: async (others, work) => {
      const one = await joined();
      for (const other of others) {
        if (!(await takeLock(one, other))) continue;
        try {
          await work(other);
        } finally {
          await releaseLock(one, other);
        }
      }
    },
    leave: async () => {
      leave();
      await left;
    },
  };
}

async function takeLock(one: Connection, name: string): Promise<boolean> {
  const { rows } = await sql<{ taken: boolean }>`
    select pg_try_advisory_lock(hashtextextended(${lockPrefix + name}, 0)) as taken`.execute(one);
  return rows[0]?.taken === true;
}

async function releaseLock(one: Connection, name: string): Promise<void> {
  await sql`select pg_advisory_unlock(hashtextextended(${lockPrefix + name}, 0))`.execute(one);
}
