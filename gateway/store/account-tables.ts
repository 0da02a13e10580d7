import type { ColumnType, Generated } from 'kysely';
import type { PriceUnit } from '../money/price-row.ts';
import type { SeedDigest } from './columns.ts';

export interface AccountsTable {
  id: string;
  /** The model ids enabled for the account; null: all. */
  models: string[] | null;
  /** Whether the account may only spend credits that were granted. */
  prepaid: Generated<boolean>;
  /** Maximum debt of a prepaid account through submitted requests. */
  overdraft_pico: ColumnType<string, string | undefined, string>;
  /** Maximum tokens per calendar month; null means unlimited. */
  monthly_tokens: bigint | null;
  /** Another account whose own channels this account may use; null means none. */
  channels_of: string | null;
  created_at: Generated<Date>;
  seed_digest: SeedDigest;
}

export interface UsersTable {
  id: string;
  account_id: string;
  /** Maximum calls in flight. */
  cap: number;
  seed_digest: SeedDigest;
}

export interface AppsTable {
  id: string;
  account_id: string;
  /** Markup on the price, in basis points. */
  markup_bp: number;
  /** Markups that override the account's for single models, by model id. */
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
  /** Prices that apply to single qualities instead; decimal digits as text. */
  quality_pico: Readonly<Record<string, string>> | null;
  seed_digest: SeedDigest;
}

/** The expiry of each lease by its id. A lease is one call in flight of a user, where several gateways share the database. */
export interface SlotLeasesTable {
  user_id: string;
  leases: Generated<Record<string, number>>;
}
