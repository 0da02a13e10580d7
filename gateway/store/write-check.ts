import { type Kysely, sql } from 'kysely';
import pg from 'pg';
import type { Logger } from 'pino';
import { readOnly } from './connection-failure.ts';
import type { Database } from './database.ts';
import { reasonOf } from './store-errors.ts';

/** The database answers but takes no writes. */
export class NoWrites extends Error {
  override name = 'NoWrites';
}

/** Whether a database takes writes. A failed statement raises the doubt; a test write settles it. */
export interface WriteCheck {
  /** Called with the error of a failed statement. */
  failed(error: unknown): void;
  /**
   * Resolves if the database answers and takes writes.
   * @throws NoWrites, or what the database throws
   */
  run(db: Kysely<Database>): Promise<void>;
}

const diskFull = '53100';

export function createWriteCheck(log: Pick<Logger, 'info' | 'error'>): WriteCheck {
  let isDoubted = false;
  let writing: Promise<void> | null = null;
  const write = async (db: Kysely<Database>): Promise<void> => {
    try {
      await writeAnew(db);
      isDoubted = false;
      log.info('the database takes writes again');
    } catch (error) {
      throw refusesWrites(error) ? new NoWrites(reasonOf(error), { cause: error }) : error;
    }
  };
  return {
    failed: (error) => {
      if (!refusesWrites(error)) return;
      if (!isDoubted) log.error({ reason: reasonOf(error) }, 'the database takes no writes');
      isDoubted = true;
    },
    run: async (db) => {
      await sql`select 1`.execute(db);
      if (!isDoubted) return;
      // Concurrent checks share one write, also if it hangs.
      writing ??= write(db).finally(() => {
        writing = null;
      });
      await writing;
    },
  };
}

/** Whether a statement failed because the database only reads, or its disk is full. */
export function refusesWrites(error: unknown): boolean {
  return error instanceof pg.DatabaseError && (error.code === readOnly || error.code === diskFull);
}

/** Writes rows that need new disk space. Rows that reuse space would succeed even on a full disk. */
async function writeAnew(db: Kysely<Database>): Promise<void> {
  await db.transaction().execute(async (trx) => {
    await sql`truncate write_probe`.execute(trx);
    await sql`
      insert into write_probe
      select string_agg(md5(random()::text), '') from generate_series(1, 512)`.execute(trx);
  });
}
