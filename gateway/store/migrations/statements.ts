import type { Kysely, RawBuilder } from 'kysely';
import type { Migration } from 'kysely/migration';

/** A migration that executes these statements in order. */
export function statements(all: readonly RawBuilder<unknown>[]): Migration {
  return {
    up: async (db: Kysely<unknown>): Promise<void> => {
      for (const statement of all) await statement.execute(db);
    },
  };
}
