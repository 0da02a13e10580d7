import { type Kysely, sql } from 'kysely';
import type { Database } from './database.ts';

/** A key with the settings of its user and account. */
export interface KeyRow {
  /** Keyed hash of the secret, hex. */
  hash: string;
  id: string;
  account_id: string;
  user_id: string;
  app_id: string;
  /** The maximum of calls in flight, over all keys of the key's user. */
  cap: number;
  /** The model ids enabled for the account; null: all. */
  models: string[] | null;
  disabled: boolean;
  /** Unix time in milliseconds; null: never. */
  expires_at_ms: number | null;
  /** Addresses and networks from which the key may be used; empty: all. */
  allow: string[];
  /** Another account whose own channels the key's account may use. */
  channels_of: string | null;
  /** The markup of the key's app in basis points, and exceptions for single models. */
  markup_bp: number;
  model_markup_bp: Record<string, number>;
}

/**
 * The accounts whose keys, or the settings they inherit, have changed since a revision. Null means that any account may have
 * changed. Some accounts may have no keys left.
 */
export async function readChangedAccounts(db: Kysely<Database>, since: bigint): Promise<string[] | null> {
  const rows = await db
    .selectFrom('key_revisions')
    .select('account_id')
    .where('revision', '>', since)
    .execute();
  const ids = rows.map((row) => row.account_id);
  return ids.includes('') ? null : ids;
}

/** All keys, or those of some accounts, sorted by id. */
export async function readKeys(
  db: Kysely<Database>,
  accounts: readonly string[] | null = null,
): Promise<KeyRow[]> {
  if (accounts?.length === 0) return [];
  const rows = await db
    .selectFrom('api_keys')
    .innerJoin('users', 'users.id', 'api_keys.user_id')
    .innerJoin('apps', 'apps.id', 'api_keys.app_id')
    .innerJoin('accounts', 'accounts.id', 'api_keys.account_id')
    .select([
      'api_keys.hash',
      'api_keys.id',
      'api_keys.account_id',
      'api_keys.user_id',
      'api_keys.app_id',
      'users.cap',
      'accounts.models',
      'api_keys.disabled',
      'api_keys.expires_at',
      'api_keys.allow',
      'accounts.channels_of',
      'apps.markup_bp',
      'apps.model_markup_bp',
    ])
    .$if(accounts !== null, (all) => all.where(sql<boolean>`api_keys.account_id = any(${accounts})`))
    .orderBy('api_keys.id')
    .execute();
  return rows.map(({ expires_at, ...row }) => ({ ...row, expires_at_ms: expires_at?.getTime() ?? null }));
}
