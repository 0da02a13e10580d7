import type { Selectable } from 'kysely';
import type {
  TasksTable,
  WebhookAttemptsTable,
  WebhookEventsTable,
  WebhookSecretsTable,
} from '../../../store/work-tables.ts';
import { Journal, Rows } from './rows.ts';

export interface AccountRow {
  readonly id: string;
  readonly prepaid: boolean;
  readonly overdraft: bigint;
  readonly monthlyTokens: bigint | null;
}

export interface BalanceRow {
  readonly posted: bigint;
  readonly held: bigint;
}

export interface HoldRow {
  readonly requestId: string;
  readonly accountId: string;
  readonly amount: bigint;
  readonly holder: string;
}

export interface EntryRow {
  readonly transferId: string;
  readonly kind: string;
  readonly accountId: string;
  readonly book: string;
  readonly amount: bigint;
  readonly requestId: string | null;
}

export interface RecordRow {
  readonly requestId: string;
  readonly accountId: string;
  readonly outcome: string;
  readonly modelServed: string;
  readonly taskId: string | null;
  readonly charge: bigint;
  readonly tokens: bigint;
}

export type TaskRow = Selectable<TasksTable>;
export type EventRow = Selectable<WebhookEventsTable>;

/** The tables that the simulated parts of a gateway use. */
export interface Tables {
  readonly journal: Journal;
  readonly accounts: Rows<AccountRow>;
  readonly balances: Rows<BalanceRow>;
  /** Tokens by account and month. */
  readonly tokens: Rows<bigint>;
  readonly holds: Rows<HoldRow>;
  /** By transfer and book. */
  readonly entries: Rows<EntryRow>;
  readonly records: Rows<RecordRow>;
  readonly tasks: Rows<TaskRow>;
  readonly events: Rows<EventRow>;
  /** By event and number. */
  readonly attempts: Rows<Selectable<WebhookAttemptsTable>>;
  readonly secrets: Rows<Selectable<WebhookSecretsTable>>;
  /** By user: the expiry of each lease. */
  readonly leases: Rows<ReadonlyMap<string, number>>;
}

export function createTables(): Tables {
  const journal = new Journal();
  return {
    journal,
    accounts: new Rows(journal),
    balances: new Rows(journal),
    tokens: new Rows(journal),
    holds: new Rows(journal),
    entries: new Rows(journal),
    records: new Rows(journal),
    tasks: new Rows(journal),
    events: new Rows(journal),
    attempts: new Rows(journal),
    secrets: new Rows(journal),
    leases: new Rows(journal),
  };
}
