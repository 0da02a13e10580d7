import { type Kysely, sql } from 'kysely';
import pg from 'pg';
import type { Logger } from 'pino';
import { readOnly } from './connection-failure.ts';
import type { Database } from './database.ts';
import { reasonOf } from './store-errors.ts';

/** The database answers, and takes no writes. */
export class NoWrites extends Error {
  override name = 'NoWrites';
}

/** Whether a database takes writes: statements that failed show that it may not, and a write of its own that it does. */
export interface WriteCheck {
  /** Hears of a statement that failed. */
  failed(error: unknown): void;
  /** Resolves when the database answers and takes writes. @throws NoWrites, or what the database throws */
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
      // One that hangs is not joined by others.
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

/** Needs new room on the disk: rows that go where others were would also be taken by a full one. */
async function writeAnew(db: Kysely<Database>): Promise<void> {
  await db.transaction().execute(async (trx) => {
    await sql`truncate write_probe`.execute(trx);
    await sql`
      insert into write_probe
      select string_agg(md5(random()::text), '') from generate_series(1, 512)`.execute(trx);
  });
}
