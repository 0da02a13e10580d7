import { type Kysely, sql, type Transaction } from 'kysely';
import type { Database } from './database.ts';
import { SeedConflict } from './store-errors.ts';

/** An account as the configuration lists it. */
export interface AccountSeed {
  id: string;
  /** The model ids enabled for it. */
  models: 'all' | readonly string[];
  /** `cap`: calls in flight at once. */
  users: readonly { id: string; cap: number }[];
  /** `markup_bp`: basis points. */
  apps: readonly { id: string; markup_bp: number }[];
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
  /** Addresses and networks that may use it; empty: all. */
  allow: readonly string[];
}

/**
 * Makes the database agree with what the configuration lists, in one transaction; a second run changes
 * nothing. What the configuration does not list stays as it is.
 *
 * Throws SeedConflict, naming ids only, when ids or secrets repeat, when a key refers to a user or app that
 * its account does not list, or when something would move to another account. The secrets leave this
 * function only through `hashKey`.
 */
export async function seedAccounts(
  db: Kysely<Database>,
  seed: readonly AccountSeed[],
  hashKey: (secret: string) => string,
): Promise<void> {
  const rows = toRows(seed, hashKey);
  refuseContradictions(seed, rows);
  await db.transaction().execute(async (trx) => {
    await refuseMoves(trx, rows);
    await upsertAccounts(trx, rows.accounts);
    await upsertUsers(trx, rows.users);
    await upsertApps(trx, rows.apps);
    await upsertKeys(trx, rows.keys);
  });
}

type Owned = { id: string; account_id: string };

interface SeedRows {
  accounts: { id: string; models: readonly string[] | null }[];
  users: (Owned & { cap: number })[];
  apps: (Owned & { markup_bp: number })[];
  keys: KeyRowSeed[];
}

type KeyRowSeed = Owned & {
  user_id: string;
  app_id: string;
  hash: string;
  prefix: string;
  last4: string;
  disabled: boolean;
  expires_at: Date | null;
  allow: readonly string[];
};

function toRows(seed: readonly AccountSeed[], hashKey: (secret: string) => string): SeedRows {
  return {
    accounts: seed.map(({ id, models }) => ({ id, models: models === 'all' ? null : models })),
    users: seed.flatMap((account) => account.users.map((user) => ({ ...user, account_id: account.id }))),
    apps: seed.flatMap((account) => account.apps.map((app) => ({ ...app, account_id: account.id }))),
    keys: seed.flatMap((account) => account.keys.map((key) => toKeyRow(account.id, key, hashKey))),
  };
}

function toKeyRow(accountId: string, key: KeySeed, hashKey: (secret: string) => string): KeyRowSeed {
  const { user, app, secret, ...rest } = key;
  return {
    ...rest,
    account_id: accountId,
    user_id: user,
    app_id: app,
    hash: hashKey(secret),
    ...recognisable(secret),
  };
}

/** The ends of a secret that is long enough to keep the rest of it secret. */
function recognisable(secret: string): { prefix: string; last4: string } {
  return secret.length < 24
    ? { prefix: '', last4: '' }
    : { prefix: secret.slice(0, 7), last4: secret.slice(-4) };
}

function refuseContradictions(seed: readonly AccountSeed[], rows: SeedRows): void {
  refuseRepeats('account', rows.accounts);
  refuseRepeats('user', rows.users);
  refuseRepeats('app', rows.apps);
  refuseRepeats('key', rows.keys);
  refuseSharedSecrets(rows.keys);
  for (const account of seed) {
    const users = new Set(account.users.map((user) => user.id));
    const apps = new Set(account.apps.map((app) => app.id));
    for (const key of account.keys) {
      if (!users.has(key.user)) {
        throw new SeedConflict(
          `Key ${key.id} names user ${key.user}, which account ${account.id} does not list.`,
        );
      }
      if (!apps.has(key.app)) {
        throw new SeedConflict(
          `Key ${key.id} names app ${key.app}, which account ${account.id} does not list.`,
        );
      }
    }
  }
}

function refuseRepeats(what: string, rows: readonly { id: string }[]): void {
  const seen = new Set<string>();
  for (const { id } of rows) {
    if (seen.has(id)) {
      throw new SeedConflict(`The ${what} id ${id} is listed twice.`);
    }
    seen.add(id);
  }
}

function refuseSharedSecrets(keys: readonly KeyRowSeed[]): void {
  const byHash = new Map<string, string>();
  for (const { id, hash } of keys) {
    const other = byHash.get(hash);
    if (other !== undefined) {
      throw new SeedConflict(`Keys ${other} and ${id} have the same secret.`);
    }
    byHash.set(hash, id);
  }
}

interface Clash {
  kind: 'user' | 'app' | 'key' | 'secret';
  id: string;
  /** The account that has the id; of a secret, the key that has it. */
  was: string;
  now: string;
}

/** One question for everything that the listed rows must not contradict in the database. */
async function refuseMoves(trx: Transaction<Database>, rows: SeedRows): Promise<void> {
  const owned = (list: readonly Owned[]): string =>
    JSON.stringify(list.map(({ id, account_id }) => ({ id, account_id })));
  const { rows: clashes } = await sql<Clash>`
    with
      listed_users as (select * from json_to_recordset(${owned(rows.users)}::json) as x(id text, account_id text)),
      listed_apps as (select * from json_to_recordset(${owned(rows.apps)}::json) as x(id text, account_id text)),
      listed_keys as (
        select * from json_to_recordset(${JSON.stringify(rows.keys)}::json) as x(id text, account_id text, hash text)
      )
    select 'user' as kind, l.id, t.account_id as was, l.account_id as now
      from listed_users l join users t using (id) where t.account_id <> l.account_id
    union all
    select 'app', l.id, t.account_id, l.account_id
      from listed_apps l join apps t using (id) where t.account_id <> l.account_id
    union all
    select 'key', l.id, t.account_id, l.account_id
      from listed_keys l join api_keys t using (id) where t.account_id <> l.account_id
    union all
    select 'secret', l.id, t.id, l.id
      from listed_keys l join api_keys t using (hash) where t.id not in (select id from listed_keys)
    limit 1`.execute(trx);
  const [clash] = clashes;
  if (clash?.kind === 'secret') {
    throw new SeedConflict(
      `Key ${clash.now} has the secret of key ${clash.was}, which is in the database already.`,
    );
  }
  if (clash !== undefined) {
    throw new SeedConflict(
      `The ${clash.kind} ${clash.id} belongs to account ${clash.was} and cannot move to account ${clash.now}.`,
    );
  }
}

// Each takes its rows as one JSON document: a number of statements that does not grow with the rows. A row
// that is right already is not written again. Rows go in the order of their ids, so that two processes that
// seed at once wait for each other instead of deadlocking.

async function upsertAccounts(trx: Transaction<Database>, rows: SeedRows['accounts']): Promise<void> {
  await sql`
    insert into accounts (id, models)
    select id, models from json_to_recordset(${JSON.stringify(rows)}::json) as x(id text, models text[]) order by id
    on conflict (id) do update set models = excluded.models
    where accounts.models is distinct from excluded.models`.execute(trx);
}

async function upsertUsers(trx: Transaction<Database>, rows: SeedRows['users']): Promise<void> {
  await sql`
    insert into users (id, account_id, cap)
    select id, account_id, cap
    from json_to_recordset(${JSON.stringify(rows)}::json) as x(id text, account_id text, cap integer) order by id
    on conflict (id) do update set cap = excluded.cap
    where users.cap <> excluded.cap`.execute(trx);
}

async function upsertApps(trx: Transaction<Database>, rows: SeedRows['apps']): Promise<void> {
  await sql`
    insert into apps (id, account_id, markup_bp)
    select id, account_id, markup_bp
    from json_to_recordset(${JSON.stringify(rows)}::json) as x(id text, account_id text, markup_bp integer) order by id
    on conflict (id) do update set markup_bp = excluded.markup_bp
    where apps.markup_bp <> excluded.markup_bp`.execute(trx);
}

async function upsertKeys(trx: Transaction<Database>, rows: SeedRows['keys']): Promise<void> {
  await sql`
    insert into api_keys (id, account_id, user_id, app_id, hash, prefix, last4, disabled, expires_at, allow)
    select id, account_id, user_id, app_id, hash, prefix, last4, disabled, expires_at, allow
    from json_to_recordset(${JSON.stringify(rows)}::json) as x(
      id text, account_id text, user_id text, app_id text, hash text, prefix text, last4 text,
      disabled boolean, expires_at timestamptz, allow text[])
    order by id
    on conflict (id) do update set
      user_id = excluded.user_id, app_id = excluded.app_id, hash = excluded.hash, prefix = excluded.prefix,
      last4 = excluded.last4, disabled = excluded.disabled, expires_at = excluded.expires_at, allow = excluded.allow
    where (api_keys.user_id, api_keys.app_id, api_keys.hash, api_keys.disabled, api_keys.expires_at, api_keys.allow)
      is distinct from
      (excluded.user_id, excluded.app_id, excluded.hash, excluded.disabled, excluded.expires_at, excluded.allow)`.execute(
    trx,
  );
}
