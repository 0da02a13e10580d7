import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

// A user's leases are one row, so that the lock of that row makes counting and taking one step. Unlogged: a lease is worth
// nothing after the calls that it counts, no commit has to wait for the disk, and a database that crashed comes back with
// none. Half of each page stays free, so that the constant rewriting of rows needs no new index entries.
const STATEMENTS = [
  sql`
    create unlogged table slot_leases (
      user_id text primary key,
      leases jsonb not null default '{}'
    ) with (fillfactor = 50)`,
];

/** Who has which calls in flight, where several gateways share a database: lease ids and when they lapse. */
export const addSlotLeases: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of STATEMENTS) {
      await statement.execute(db);
    }
  },
};
