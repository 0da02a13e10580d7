import { createHash } from 'node:crypto';
import type { Pico } from '../money/pico.ts';
import { isUnitPrice, type PriceRow, type TokenPriceRow, type UnitPriceRow } from '../money/price-row.ts';
import { type QualityDigits, qualityDigits } from './quality-digits.ts';
import { SeedConflict } from './store-errors.ts';

/** An account as the configuration lists it. */
export interface AccountSeed {
  id: string;
  /** The model ids enabled for the account. */
  models: 'all' | readonly string[];
  /** Whether the account may only spend granted credits. */
  prepaid: boolean;
  /** Maximum debt of a prepaid account through submitted requests. */
  overdraft: Pico;
  /** Maximum tokens per calendar month; null means unlimited. */
  monthly_tokens: number | null;
  /** Another account whose own channels this account may use. */
  channels_of?: string | undefined;
  /** `cap`: maximum calls in flight. */
  users: readonly { id: string; cap: number }[];
  /** Markups in basis points, and exceptions for single models by model id. */
  apps: readonly { id: string; markup_bp: number; model_markup_bp: Readonly<Record<string, number>> }[];
  keys: readonly KeySeed[];
}

/** A key as the configuration lists it; `user` and `app` are ids of the same account. */
export interface KeySeed {
  id: string;
  user: string;
  app: string;
  secret: string;
  disabled: boolean;
  expires_at: Date | null;
  /** Addresses and networks from which it may be used; empty: all. */
  allow: readonly string[];
}

/** All rows that the configuration lists. */
export interface Seed {
  readonly accounts: readonly AccountSeed[];
  readonly prices: readonly PriceRow[];
}

/** A row with a digest of its configuration entry: the row is written when the digest changes. */
type Digested<Row> = Row & { seed_digest: string };

export type Owned = { id: string; account_id: string };

export type KeyRowSeed = Digested<
  Owned & {
    user_id: string;
    app_id: string;
    hash: string;
    prefix: string;
    last4: string;
    disabled: boolean;
    expires_at: Date | null;
    allow: readonly string[];
  }
>;

/** The configuration as rows; amounts as text. */
export interface SeedRows {
  readonly accounts: readonly Digested<{
    id: string;
    models: readonly string[] | null;
    prepaid: boolean;
    overdraft_pico?: string;
    monthly_tokens: number | null;
    channels_of: string | null;
  }>[];
  readonly users: readonly Digested<Owned & { cap: number }>[];
  readonly apps: readonly Digested<
    Owned & { markup_bp: number; model_markup_bp: Readonly<Record<string, number>> }
  >[];
  readonly keys: readonly KeyRowSeed[];
  readonly prices: readonly Digested<PriceRowSeed>[];
}

type PriceRowSeed =
  | (Omit<TokenPriceRow, 'input_pico' | 'output_pico'> & { input_pico: string; output_pico: string })
  | (Pick<UnitPriceRow, 'model_id' | 'unit'> & { unit_pico: string; quality_pico: QualityDigits | null });

/**
 * Converts the configuration to rows. Secrets leave this function only through `hashKey`. Throws SeedConflict, naming ids
 * only, if ids or secrets repeat, or a key refers to a user or app that its account does not list.
 */
export function seedRows({ accounts, prices }: Seed, hashKey: (secret: string) => string): SeedRows {
  const rows: SeedRows = {
    accounts: accounts.map(({ id, models, prepaid, overdraft, monthly_tokens, channels_of = null }) =>
      digested({
        id,
        models: models === 'all' ? null : models,
        prepaid,
        // Omitted if absent, so that the digests of earlier versions stay the same.
        ...(overdraft > 0n && { overdraft_pico: String(overdraft) }),
        monthly_tokens,
        channels_of,
      }),
    ),
    users: accounts.flatMap(({ id: account_id, users }) =>
      users.map(({ id, cap }) => digested({ id, account_id, cap })),
    ),
    apps: accounts.flatMap(({ id: account_id, apps }) =>
      apps.map(({ id, markup_bp, model_markup_bp }) =>
        digested({ id, account_id, markup_bp, model_markup_bp }),
      ),
    ),
    keys: accounts.flatMap((account) => account.keys.map((key) => keyRow(account.id, key, hashKey))),
    prices: prices.map((row) => digested(priceRowSeed(row))),
  };
  refuseContradictions(accounts, rows);
  return rows;
}

function keyRow(accountId: string, key: KeySeed, hashKey: (secret: string) => string): KeyRowSeed {
  const { user, app, secret, ...rest } = key;
  return digested({
    ...rest,
    account_id: accountId,
    user_id: user,
    app_id: app,
    hash: hashKey(secret),
    ...recognisable(secret),
  });
}

/** The first and last characters of a secret, if it is long enough for the rest to stay secret. */
export function recognisable(secret: string): { prefix: string; last4: string } {
  return secret.length < 24
    ? { prefix: '', last4: '' }
    : { prefix: secret.slice(0, 7), last4: secret.slice(-4) };
}

function priceRowSeed(row: PriceRow): PriceRowSeed {
  if (!isUnitPrice(row)) {
    return { ...row, input_pico: String(row.input_pico), output_pico: String(row.output_pico) };
  }
  return { ...row, unit_pico: String(row.unit_pico), quality_pico: qualityDigits(row.quality_pico) };
}

function digested<Row extends object>(row: Row): Digested<Row> {
  return { ...row, seed_digest: createHash('sha256').update(JSON.stringify(row)).digest('hex') };
}

function refuseContradictions(accounts: readonly AccountSeed[], rows: SeedRows): void {
  refuseRepeats('account', rows.accounts);
  refuseRepeats('user', rows.users);
  refuseRepeats('app', rows.apps);
  refuseRepeats('key', rows.keys);
  refuseSharedSecrets(rows.keys);
  const known = new Set(accounts.map(({ id }) => id));
  for (const account of accounts) {
    const { id, channels_of: channelOwner } = account;
    if (channelOwner !== undefined && !known.has(channelOwner)) {
      throw new SeedConflict(
        `Account ${id} uses the channels of account ${channelOwner}, which is not listed.`,
      );
    }
    refuseStrangers(account);
  }
}

/** Rejects a key whose user or app does not belong to its account. */
function refuseStrangers(account: AccountSeed): void {
  const users = new Set(account.users.map((user) => user.id));
  const apps = new Set(account.apps.map((app) => app.id));
  const fault = (key: KeySeed, what: string): SeedConflict =>
    new SeedConflict(`Key ${key.id} names ${what}, which account ${account.id} does not list.`);
  for (const key of account.keys) {
    if (!users.has(key.user)) throw fault(key, `user ${key.user}`);
    if (!apps.has(key.app)) throw fault(key, `app ${key.app}`);
  }
}

function refuseRepeats(what: string, rows: readonly { id: string }[]): void {
  const seen = new Set<string>();
  for (const { id } of rows) {
    if (seen.has(id)) throw new SeedConflict(`The ${what} id ${id} is listed twice.`);
    seen.add(id);
  }
}

function refuseSharedSecrets(keys: readonly KeyRowSeed[]): void {
  const byHash = new Map<string, string>();
  for (const { id, hash } of keys) {
    const other = byHash.get(hash);
    if (other !== undefined) throw new SeedConflict(`Keys ${other} and ${id} have the same secret.`);
    byHash.set(hash, id);
  }
}
