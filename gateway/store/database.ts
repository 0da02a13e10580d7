import type { ColumnType, Generated } from 'kysely';
import type { PriceUnit } from '../money/price-row.ts';

/** The tables as queries see them. 64-bit integers are bigint, times are Date. */
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

/** The digest of a row's last configuration entry; null for a row that was never configured. */
type SeedDigest = ColumnType<string | null, string | null | undefined, string | null>;

/** Money as whole pico-USD: written as bigint or text, read as text. */
type Pico = ColumnType<string, bigint | string, bigint | string>;

export interface AccountsTable {
  id: string;
  /** The model ids enabled for the account; null: all. */
  models: string[] | null;
  /** Whether the account may only spend credits that were granted. */
  prepaid: Generated<boolean>;
  /** Tokens that it may use in a calendar month; null: no limit. */
  monthly_tokens: bigint | null;
  /** The account whose own channels it also uses; null: only its own and the shared ones. */
  channels_of: string | null;
  created_at: Generated<Date>;
  seed_digest: SeedDigest;
}

export interface UsersTable {
  id: string;
  account_id: string;
  /** The maximum of calls in flight. */
  cap: number;
  seed_digest: SeedDigest;
}

export interface AppsTable {
  id: string;
  account_id: string;
  /** Markup on the price, in basis points. */
  markup_bp: number;
  /** Markups for single models instead, by model id. */
  model_markup_bp: Generated<Record<string, number>>;
  seed_digest: SeedDigest;
}

export interface ApiKeysTable {
  id: string;
  account_id: string;
  user_id: string;
  app_id: string;
  /** Keyed hash of the secret, in hex; the secret itself is not stored. */
  hash: string;
  /** The first characters of the secret, to recognise the key; empty if the secret is too short. */
  prefix: string;
  /** The last four characters, for the same purpose. */
  last4: string;
  disabled: Generated<boolean>;
  expires_at: Date | null;
  /** Addresses and networks from which the key may be used; empty: all. */
  allow: Generated<string[]>;
  created_at: Generated<Date>;
  seed_digest: SeedDigest;
}

/**
 * List prices in whole pico-USD. Either per token, with percentages of the input price for cached and written
 * tokens, or per unit. The columns of the other kind are null.
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
  /** Prices of single qualities instead, digits as text. */
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
  /** Encoded as billing/stored-text.ts describes. */
  request_id: Written<string | null>;
  note: Written<string | null>;
  posted_at: Written<Date>;
}

/** Sums of the entries of an account: `posted` over credits and held, `held` over held alone. */
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

/** The holder of all holds of tasks. They survive the death of any process: each is settled with its task. */
export const tasksHolder = 'tasks';

/** Holds that are neither settled nor void, each with its gateway process, or tasksHolder. */
export interface OpenHoldsTable {
  request_id: string;
  account_id: string;
  amount_pico: Pico;
  holder: string;
  held_at: Date;
}

/**
 * The calls in flight of a user, where several gateways share the database: the expiry of each lease, by its id.
 */
export interface SlotLeasesTable {
  user_id: string;
  leases: Generated<Record<string, number>>;
}

/**
 * Jobs that callers submitted. The owner (`holder`) of a job that has not ended runs its due step; null if nobody
 * does.
 */
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
  /** The requested fields, as JSON: up to the size of a body. */
  fields: Written<string>;
  /** The rest of the submission, as JSON. */
  details: Written<string>;
  parents: Written<string[]>;
  channels_of: Written<string[]>;
  status: 'QUEUED' | 'RUNNING' | 'SUCCESS' | 'FAILED' | 'EXPIRED';
  submitted_at: Written<Date>;
  deadline_at: Written<Date>;
  channel_id: string | null;
  /** The upstream's id, as JSON like the ending. */
  native_id: string | null;
  start_tries: Generated<number>;
  poll_tries: Generated<number>;
  ending: string | null;
  ended_at: Date | null;
  /** When its next step is due; null once it has ended. */
  due_at: Date | null;
  /** The process that runs that step, or that ended the task. */
  holder: string | null;
  /** Increased by every notification of its job. */
  generation: Generated<number>;
  /**
   * Number of regular polls in a row, the time of the next one, and the earliest time for one after a
   * notification.
   */
  polls: Generated<number>;
  poll_at: Date;
  notify_from: Date;
}

/**
 * Reports to callers how their tasks ended. The owner (`holder`) of an event makes its attempt; null between
 * attempts.
 */
export interface WebhookEventsTable {
  id: Written<string>;
  task_id: Written<string>;
  account_id: Written<string>;
  /** The receiver: the account and the origin of the URL. */
  receiver: Written<string>;
  type: Written<'task.success' | 'task.failed' | 'task.expired'>;
  /** As JSON. */
  url: Written<string>;
  body: Written<string>;
  state: 'pending' | 'delivered' | 'stopped' | 'given_up';
  /** Increased by every request for redelivery: the result of an earlier attempt then changes nothing any more. */
  generation: Generated<number>;
  /** Number of scheduled attempts so far. */
  place: Generated<number>;
  /** Number of all attempts so far. */
  attempts: Generated<number>;
  /** Whether the next attempt was requested by an administrator. */
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

/**
 * The secrets that sign an account's events, encrypted. Null for an ended one that is remembered for its digest.
 */
export interface WebhookSecretsTable {
  account_id: Written<string>;
  id: string;
  sealed: string | null;
  /** The last characters of the secret. */
  hint: Written<string>;
  created_at: Written<Date>;
  /** When it stops signing. */
  ends_at: Date | null;
  seed_digest: SeedDigest;
}

/** Append-only: the database refuses to update or delete. Text is encoded as billing/stored-text.ts describes. */
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
  /** How many billed units were made, and which unit; null where tokens count. */
  units: Written<number | null>;
  unit: Written<PriceUnit | null>;
  /** The task that the request submitted. */
  task_id: Written<string | null>;
  /** The cost of the request in pico-USD. */
  charge_pico: ColumnType<string, bigint | string, never>;
  /** The price and markup of the charge, digits as text; null if there was no price. */
  price: Written<AppliedPriceJson | null>;
  /** The tasks that the request's task builds on, the first one first. */
  parents: Written<string[]>;
  end_user: Written<string | null>;
  metadata: Written<Record<string, string> | null>;
  started_at: Written<Date>;
  ended_at: Written<Date>;
}

/** The stored price of a charge. */
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
