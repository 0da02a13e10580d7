import { type Kysely, sql } from 'kysely';
import type { Database } from '../store/database.ts';
import type { Instances } from './instances.ts';

type Connection = Kysely<Database>;

/** Tells our advisory locks from those of others on the same database. */
const lockPrefix = 'gatecheck instance ';

/**
 * Processes that share a PostgreSQL server. Each keeps a connection that holds a lock in its name for as long as it lives;
 * the server lets go of the lock at once when the process dies. A process that merely lost its connection seems to be
 * gone until it has a new one: what is given back then of a request under way is charged all the same when that ends.
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
        // A connection that broke has lost the lock already.
        await releaseLock(one, own).catch(() => {});
      })
      .catch((error: unknown) => joined.reject(error));
    connection = await joined.promise;
    return connection;
  };
  let finding: Promise<Connection> | null = null;
  /** The connection with the lock, made anew when it broke; once for all who ask meanwhile. */
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
