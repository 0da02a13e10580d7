import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';
import { accounts } from './migrations/accounts.ts';
import { money } from './migrations/money.ts';
import { posting } from './migrations/posting.ts';
import { tasks } from './migrations/tasks.ts';
import { webhooks } from './migrations/webhooks.ts';

const initial: Migration = {
  up: async (db: Kysely<unknown>): Promise<void> => {
    for (const statement of [...accounts, ...money, ...posting, ...tasks, ...webhooks])
      await statement.execute(db);
  },
};

/**
 * Every migration by name, applied in the order of names. A released migration never changes. Later ones only add. One
 * that takes away what the release before uses is named `NNNN-contract-…`, and comes a release after the last use.
 */
export const allMigrations: Readonly<Record<string, Migration>> = { '0001-initial': initial };

/** Whether programs that do not know a migration can no longer work with what it left. */
export function isContracting(name: string): boolean {
  return /^\d{4}-contract-/.test(name);
}
