import type { Migration } from 'kysely/migration';
import { createAccounts } from './migrations/0001-accounts.ts';
import { createMoney } from './migrations/0002-money.ts';
import { createLedgerPosting } from './migrations/0003-ledger-posting.ts';
import { createTasks } from './migrations/0004-tasks.ts';
import { createWebhooks } from './migrations/0005-webhooks.ts';
import { boundCredits } from './migrations/0006-credit-floor.ts';
import { coverCalls } from './migrations/0007-exposure-blocks.ts';
import { createAdminAudit } from './migrations/0008-admin-audit.ts';
import { nameStores } from './migrations/0009-store-identity.ts';
import { createChannelKeys } from './migrations/0010-channel-keys.ts';
import { createDirectoryReaders } from './migrations/0011-directory-readers.ts';
import { orderUsage } from './migrations/0012-usage-indexes.ts';
import { forgetUsage } from './migrations/0013-usage-retention.ts';
import { settleCovered } from './migrations/0014-covered-settlements.ts';
import { settleDirectly } from './migrations/0015-direct-settlements.ts';
import { slimRequests } from './migrations/0016-entries-of-requests.ts';

/**
 * Every migration by name, applied in the order of names. A released migration never changes its name. One that takes away what
 * the release before uses is named `NNNN-contract-…`, and no earlier than a release after the one that ceased to use it.
 */
export const allMigrations: Readonly<Record<string, Migration>> = {
  '0001-accounts': createAccounts,
  '0002-money': createMoney,
  '0003-ledger-posting': createLedgerPosting,
  '0004-tasks': createTasks,
  '0005-webhooks': createWebhooks,
  '0006-credit-floor': boundCredits,
  '0007-exposure-blocks': coverCalls,
  '0008-admin-audit': createAdminAudit,
  '0009-store-identity': nameStores,
  '0010-channel-keys': createChannelKeys,
  '0011-directory-readers': createDirectoryReaders,
  '0012-usage-indexes': orderUsage,
  '0013-usage-retention': forgetUsage,
  '0014-covered-settlements': settleCovered,
  '0015-direct-settlements': settleDirectly,
  '0016-entries-of-requests': slimRequests,
};

/** Whether programs that do not know a migration can no longer work with what it left. */
export function isContracting(name: string): boolean {
  return /^\d{4}-contract-/.test(name);
}
