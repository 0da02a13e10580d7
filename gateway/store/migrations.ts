import type { Migration } from 'kysely/migration';
import { createAccounts } from './migrations/0001-accounts.ts';
import { createUsageRecords } from './migrations/0002-usage-records.ts';
import { addCacheWrites } from './migrations/0003-cache-writes.ts';
import { addMoney } from './migrations/0004-money.ts';
import { addDirectory } from './migrations/0005-directory.ts';
import { addSlotLeases } from './migrations/0006-slot-leases.ts';
import { addLedgerPosting } from './migrations/0007-post-ledger.ts';
import { addTasks } from './migrations/0008-tasks.ts';
import { addUnits } from './migrations/0009-units.ts';
import { addWebhooks } from './migrations/0010-webhooks.ts';
import { addTaskNews } from './migrations/0011-task-news.ts';

/** Every migration by name, applied in the order of the names; a name once released never changes. */
export const MIGRATIONS: Readonly<Record<string, Migration>> = {
  '0001-accounts': createAccounts,
  '0002-usage-records': createUsageRecords,
  '0003-cache-writes': addCacheWrites,
  '0004-money': addMoney,
  '0005-directory': addDirectory,
  '0006-slot-leases': addSlotLeases,
  '0007-post-ledger': addLedgerPosting,
  '0008-tasks': addTasks,
  '0009-units': addUnits,
  '0010-webhooks': addWebhooks,
  '0011-task-news': addTaskNews,
};
