import type { ColumnType, Generated } from 'kysely';

/** The tables, as queries see them. 64-bit integers are bigint, points in time are Date. */
export interface Database {
  accounts: AccountsTable;
  users: UsersTable;
  apps: AppsTable;
  api_keys: ApiKeysTable;
  usage_records: UsageRecordsTable;
}

export interface AccountsTable {
  id: string;
  /** The model ids enabled for the account; null: all. */
  models: string[] | null;
  created_at: Generated<Date>;
}

export interface UsersTable {
  id: string;
  account_id: string;
  /** Calls that may be in flight at once. */
  cap: number;
}

export interface AppsTable {
  id: string;
  account_id: string;
  /** Markup on the price, in basis points. */
  markup_bp: number;
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
  end_user: Written<string | null>;
  metadata: Written<Record<string, string> | null>;
  started_at: Written<Date>;
  ended_at: Written<Date>;
}

/** A column that is inserted once and never updated. */
type Written<T> = ColumnType<T, T, never>;
