import { PGlite } from '@electric-sql/pglite';
import { Kysely, PGliteDialect, sql } from 'kysely';
import type { Database } from './database.ts';
import { migrate } from './migrate.ts';

/**
 * Makes a cluster with every table and without a row of any gateway in `dir`, which must not be there: as small as it
 * can be, because it is copied often. Nothing but the one database is ever used of it.
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
    // The log of all this is not needed any more, and the fewer segments there are, the fewer are copied.
    await sql`checkpoint`.execute(db);
  } finally {
    await db.destroy();
  }
}
