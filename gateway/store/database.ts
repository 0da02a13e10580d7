import type {
  AccountsTable,
  ApiKeysTable,
  AppsTable,
  PricesTable,
  SlotLeasesTable,
  UsersTable,
} from './account-tables.ts';
import type { AdminAuditTable } from './audit-table.ts';
import type {
  AccountBalancesTable,
  LedgerEntriesTable,
  OpenHoldsTable,
  TokenUsageTable,
} from './ledger-tables.ts';
import type { UsageRecordsTable } from './usage-tables.ts';
import type {
  TasksTable,
  WebhookAttemptsTable,
  WebhookEventsTable,
  WebhookSecretsTable,
} from './work-tables.ts';

/** The tables as queries see them. 64-bit integers are bigint, times are Date. */
export interface Database {
  accounts: AccountsTable;
  users: UsersTable;
  apps: AppsTable;
  api_keys: ApiKeysTable;
  usage_records: UsageRecordsTable;
  prices: PricesTable;
  directory_revision: { revision: bigint };
  key_revisions: { account_id: string; revision: bigint };
  processes: { id: string; lease_until: Date };
  directory_readers: { process: string; revision: bigint };
  deleted_seeds: { kind: 'key' | 'price'; id: string; seed_digest: string };
  drained_channels: { channel_id: string; since: Date };
  ledger_entries: LedgerEntriesTable;
  account_balances: AccountBalancesTable;
  token_usage: TokenUsageTable;
  open_holds: OpenHoldsTable;
  slot_leases: SlotLeasesTable;
  tasks: TasksTable;
  task_bytes: { account_id: string; bytes: bigint };
  webhook_events: WebhookEventsTable;
  webhook_attempts: WebhookAttemptsTable;
  webhook_secrets: WebhookSecretsTable;
  admin_audit: AdminAuditTable;
  channel_keys: { channel_id: string; digest: string };
}
