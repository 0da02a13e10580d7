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
 * Every migration by name, applied in the order of names. A released migration never changes. Later ones only add. A
 * migration that removes something is named `NNNN-contract-…`. It ships one release after the last use of what it removes.
 */
export const allMigrations: Readonly<Record<string, Migration>> = { '0001-initial': initial };

/** Whether a migration makes the database unusable for programs that do not know it. */
export function isContracting(name: string): boolean {
  return /^\d{4}-contract-/.test(name);
}
