import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

const STATEMENTS = [
  sql`create table directory_revision (is_only boolean primary key default true check (is_only), revision bigint not null)`,
  sql`insert into directory_revision (revision) values (0)`,
  // What the configuration still lists, and an administrator has deleted: it does not come back by itself.
  sql`
    create table deleted_seeds (
      kind text not null check (kind in ('key', 'price')),
      id text not null,
      seed_digest text not null,
      primary key (kind, id)
    )`,
];

/** The counter by which every process learns that accounts, keys or prices have changed. */
export const addDirectory: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of STATEMENTS) {
      await statement.execute(db);
    }
  },
};
