import { type Kysely, sql } from 'kysely';
import { Migrator } from 'kysely/migration';
import type { Database } from './database.ts';
import { allMigrations, isContracting } from './migrations.ts';
import { reasonOf, SchemaTooNew, StoreError } from './store-errors.ts';

/**
 * Brings the schema up to date; does nothing if it already is. Several processes may start on one server at once, so the
 * migrator takes an advisory lock first. On the embedded database that lock excludes nobody, because all connections are one
 * session. It need not: the data directory belongs to one process. `place` names the database in messages. A database with
 * migrations of a later release is used unchanged, because later migrations only add. The names of exceptions say so. Throws
 * SchemaTooNew for an exception, StoreError if a migration fails.
 */
export async function migrate(db: Kysely<Database>, place: string): Promise<void> {
  const done = await doneMigrations(db);
  const unknown = done.filter((name) => !Object.hasOwn(allMigrations, name));
  const isMissing = Object.keys(allMigrations).some((name) => !done.includes(name));
  if (unknown.some((name) => isContracting(name) || isMissing)) throw new SchemaTooNew(place, unknown);
  // Nothing is missing, so nothing is left to run.
  if (!isMissing) return;
  const migrator = new Migrator({ db, provider: { getMigrations: async () => ({ ...allMigrations }) } });
  const { error, results } = await migrator.migrateToLatest();
  if (error !== undefined) {
    const failed = results?.find((result) => result.status === 'Error');
    const what = failed === undefined ? 'The migrations' : `The migration ${failed.migrationName}`;
    throw new StoreError(`${what} of the database in ${place} failed: ${reasonOf(error)}.`, { cause: error });
  }
}

/** The names of the migrations that the database has. */
async function doneMigrations(db: Kysely<Database>): Promise<string[]> {
  const table = await sql<{
    name: string | null;
  }>`select to_regclass('kysely_migration')::text as name`.execute(db);
  if (table.rows[0]?.name == null) return [];
  const done = await sql<{ name: string }>`select name from kysely_migration order by name`.execute(db);
  return done.rows.map(({ name }) => name);
}
