import { PGlite } from '@electric-sql/pglite';
import { Kysely, PGliteDialect, sql } from 'kysely';
import type { Database } from './database.ts';
import { migrate } from './migrate.ts';

/**
 * Creates a cluster in `dir`, which must not exist. It has every table and no gateway data. It is as small as possible,
 * because it is copied often. Only one of its databases is ever used.
 */
export async function makeCluster(dir: string): Promise<void> {
  const database = await PGlite.create(dir, {
    initDbStartParams: ['--wal-segsize=1', '--set', 'wal_recycle=off'],
  });
  const db = new Kysely<Database>({ dialect: new PGliteDialect({ pglite: database }) });
  try {
    await migrate(db, dir);
    await sql`update pg_database set datistemplate = false`.execute(db);
    for (const template of ['template0', 'template1'])
      await sql`drop database ${sql.id(template)}`.execute(db);
    // The write-ahead log is no longer needed: fewer segments mean fewer files to copy.
    await sql`checkpoint`.execute(db);
  } finally {
    await db.destroy();
  }
}
