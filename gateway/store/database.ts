import type { ColumnType, Generated } from 'kysely';
import type { PriceUnit } from '../money/price-row.ts';

/** The tables, as queries see them. 64-bit integers are bigint, points in time are Date. */
export interface Database {
  accounts: AccountsTable;
  users: UsersTable;
  apps: AppsTable;
  api_keys: ApiKeysTable;
  usage_records: UsageRecordsTable;
  prices: PricesTable;
  directory_revision: { revision: bigint };
  deleted_seeds: { kind: 'key' | 'price'; id: string; seed_digest: string };
  drained_channels: { channel_id: string; since: Date };
  ledger_entries: LedgerEntriesTable;
  account_balances: AccountBalancesTable;
  token_usage: TokenUsageTable;
  open_holds: OpenHoldsTable;
  slot_leases: SlotLeasesTable;
  tasks: TasksTable;
  webhook_events: WebhookEventsTable;
  webhook_attempts: WebhookAttemptsTable;
  webhook_secrets: WebhookSecretsTable;
}

/** What the configuration last said of a row, as a digest; null for a row that it never named. */
type SeedDigest = ColumnType<string | null, string | null | undefined, string | null>;

/** Money as whole pico-USD: written as bigint or text, read as text. */
type Pico = ColumnType<string, bigint | string, bigint | string>;

export interface AccountsTable {
  id: string;
  /** The model ids enabled for the account; null: all. */
  models: string[] | null;
  /** Whether the account may only spend what it was granted. */
  prepaid: Generated<boolean>;
  /** Tokens that it may use in a calendar month; null: no bound. */
  monthly_tokens: bigint | null;
  /** The account whose own channels it uses, too; null: only its own and the shared ones. */
  channels_of: string | null;
  created_at: Generated<Date>;
  seed_digest: SeedDigest;
}

export interface UsersTable {
  id: string;
  account_id: string;
  /** Calls that may be in flight at once. */
  cap: number;
  seed_digest: SeedDigest;
}

export interface AppsTable {
  id: string;
  account_id: string;
  /** Markup on the price, in basis points. */
  markup_bp: number;
  /** The markup on single models instead, by model id. */
  model_markup_bp: Generated<Record<string, number>>;
  seed_digest: SeedDigest;
}

export interface ApiKeysTable {
  id: string;
  account_id: string;
  user_id: string;
  app_id: string;
  /** Keyed hash of the secret, in hex; the secret itself is nowhere. */
  hash: string;
  /** The first characters of the secret, to recognise a key by; empty when the secret is too short for that. */
  prefix: string;
  /** The last four characters, likewise. */
  last4: string;
  disabled: Generated<boolean>;
  expires_at: Date | null;
  /** Addresses and networks that may use the key; empty: all. */
  allow: Generated<string[]>;
  created_at: Generated<Date>;
  seed_digest: SeedDigest;
}

/**
 * List prices in whole pico-USD: per token, with percentages of the input price for cached and written tokens, or per
 * unit. What belongs to the other kind is null.
 */
export interface PricesTable {
  model_id: string;
  input_pico: bigint | null;
  output_pico: bigint | null;
  cached_percent: number | null;
  write_5m_percent: number | null;
  write_1h_percent: number | null;
  unit: PriceUnit | null;
  unit_pico: bigint | null;
  /** What single qualities cost instead, digits as text. */
  quality_pico: Readonly<Record<string, string>> | null;
  seed_digest: SeedDigest;
}

export const ledgerKinds = ['grant', 'hold', 'settle', 'void', 'correction'] as const;
export const ledgerBooks = ['credits', 'held', 'revenue', 'grants'] as const;

/** Append-only: the database refuses to update or delete. The entries of one transfer add up to zero. */
export interface LedgerEntriesTable {
  id: ColumnType<bigint, never, never>;
  transfer_id: Written<string>;
  kind: Written<(typeof ledgerKinds)[number]>;
  account_id: Written<string>;
  book: Written<(typeof ledgerBooks)[number]>;
  /** Signed: what the book gains. */
  amount_pico: ColumnType<string, bigint | string, never>;
  /** Stored as stored-text.ts in billing says. */
  request_id: Written<string | null>;
  note: Written<string | null>;
  posted_at: Written<Date>;
}

/** The sums of the entries of an account: `posted` over credits and held, `held` over held alone. */
export interface AccountBalancesTable {
  account_id: string;
  posted_pico: Pico;
  held_pico: Pico;
}

/** Tokens used in a calendar month (UTC, `2026-11`). */
export interface TokenUsageTable {
  account_id: string;
  month: string;
  tokens: bigint;
}

/** Holds what tasks may cost, whatever process dies: each is settled with its task. */
export const tasksHolder = 'tasks';

/** Holds that are neither settled nor void, with the gateway process that holds them, or tasksHolder. */
export interface OpenHoldsTable {
  request_id: string;
  account_id: string;
  amount_pico: Pico;
  holder: string;
  held_at: Date;
}

/** The calls in flight of a user, where several gateways share the database: when each lease lapses, by its id. */
export interface SlotLeasesTable {
  user_id: string;
  leases: Generated<Record<string, number>>;
}

/** Jobs that callers handed in. Who holds one that has not ended takes the step that is due; nobody does when that is null. */
export interface TasksTable {
  id: Written<string>;
  request_id: Written<string>;
  account_id: Written<string>;
  user_id: Written<string>;
  app_id: Written<string>;
  key_id: Written<string>;
  model: Written<string>;
  medium: Written<'image' | 'video' | 'audio'>;
  action: Written<string | null>;
  /** What is asked for, as JSON: as large as a body may be. */
  fields: Written<string>;
  /** The rest of what was handed in, as JSON. */
  details: Written<string>;
  parents: Written<string[]>;
  channels_of: Written<string[]>;
  status: 'QUEUED' | 'RUNNING' | 'SUCCESS' | 'FAILED' | 'EXPIRED';
  submitted_at: Written<Date>;
  deadline_at: Written<Date>;
  channel_id: string | null;
  /** As JSON, like the ending. */
  native_id: string | null;
  start_tries: Generated<number>;
  poll_tries: Generated<number>;
  ending: string | null;
  ended_at: Date | null;
  /** When its next step is due; null once it has ended. */
  due_at: Date | null;
  /** Who takes that step, or ended it. */
  holder: string | null;
  /** How often notifications came of its job. */
  generation: Generated<number>;
  /** Its job was asked after so often in a row, is asked again then, and on a notification no sooner than that. */
  polls: Generated<number>;
  poll_at: Date;
  notify_from: Date;
}

/** What callers are told of how their tasks ended. Who is at an attempt holds an event; nobody does between two attempts. */
export interface WebhookEventsTable {
  id: Written<string>;
  task_id: Written<string>;
  account_id: Written<string>;
  /** Who is sent to: the account and the origin of the URL. */
  receiver: Written<string>;
  type: Written<'task.success' | 'task.failed' | 'task.expired'>;
  /** As JSON. */
  url: Written<string>;
  body: Written<string>;
  state: 'pending' | 'delivered' | 'stopped' | 'given_up';
  /** How often somebody asked for it to be sent again: what came of an attempt before changes nothing any more. */
  generation: Generated<number>;
  /** Attempts of the schedule that have been made. */
  place: Generated<number>;
  /** All attempts that have been made. */
  attempts: Generated<number>;
  /** Whether the next attempt is one that somebody asked for. */
  is_manual: Generated<boolean>;
  created_at: Written<Date>;
  /** When it is attempted next. */
  due_at: Date | null;
  ended_at: Date | null;
  holder: string | null;
}

export interface WebhookAttemptsTable {
  event_id: Written<string>;
  n: Written<number>;
  at: Written<Date>;
  took_ms: Written<number>;
  status: Written<number | null>;
  failure: Written<string | null>;
  is_manual: Written<boolean>;
}

/** What events of an account are signed with, encrypted; null for one that has ended and is remembered for its digest. */
export interface WebhookSecretsTable {
  account_id: Written<string>;
  id: string;
  sealed: string | null;
  /** The last characters of the secret. */
  hint: Written<string>;
  created_at: Written<Date>;
  /** When it signs no more. */
  ends_at: Date | null;
  seed_digest: SeedDigest;
}

/** Append-only: the database refuses to update or delete. Text is stored as stored-text.ts in billing says. */
export interface UsageRecordsTable {
  request_id: Written<string>;
  account_id: Written<string>;
  user_id: Written<string>;
  app_id: Written<string>;
  key_id: Written<string>;
  model_requested: Written<string>;
  model_served: Written<string>;
  channel_id: Written<string | null>;
  outcome: Written<string>;
  stream: Written<boolean>;
  attempts: Written<number>;
  prompt_tokens: Written<bigint>;
  completion_tokens: Written<bigint>;
  cached_tokens: Written<bigint>;
  cache_write_5m_tokens: Written<bigint>;
  cache_write_1h_tokens: Written<bigint>;
  usage_known: Written<boolean>;
  /** How much was made of what the model is paid by, and what that is; null where tokens count. */
  units: Written<number | null>;
  unit: Written<PriceUnit | null>;
  /** The task that the request handed in. */
  task_id: Written<string | null>;
  /** What the request cost, in pico-USD. */
  charge_pico: ColumnType<string, bigint | string, never>;
  /** The price and markup that held, digits as text; null where there was none. */
  price: Written<AppliedPriceJson | null>;
  /** The requests that this one builds on, the first one first. */
  parents: Written<string[]>;
  end_user: Written<string | null>;
  metadata: Written<Record<string, string> | null>;
  started_at: Written<Date>;
  ended_at: Written<Date>;
}

/** A price as it is kept with what it was charged for. */
export type AppliedPriceJson = AppliedTokenPriceJson | AppliedUnitPriceJson;

interface AppliedUnitPriceJson {
  readonly unit: PriceUnit;
  readonly unit_pico: string;
  readonly markup_bp: number;
}

interface AppliedTokenPriceJson {
  readonly input_pico: string;
  readonly output_pico: string;
  readonly cached_percent: number;
  readonly write_5m_percent: number;
  readonly write_1h_percent: number;
  readonly markup_bp: number;
}

/** A column that is inserted once and never updated. */
type Written<T> = ColumnType<T, T, never>;
