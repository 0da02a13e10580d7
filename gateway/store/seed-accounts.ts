import { type Kysely, sql, type Transaction } from 'kysely';
import { changeDirectory } from './change-directory.ts';
import type { Database } from './database.ts';
import type { Owned, SeedRows } from './seed-rows.ts';
import { SeedConflict } from './store-errors.ts';

/**
 * Writes the accounts and prices of the configuration to the database, in one transaction. Only entries that changed since
 * the previous start are written, so that changes by administrators stay. Keys and prices from an earlier configuration are
 * deleted when they are no longer listed. All other unlisted rows stay. Throws SeedConflict, naming ids only, if a secret is
 * taken or a row would move to another account.
 */
export async function seedAccounts(db: Kysely<Database>, listed: SeedRows): Promise<void> {
  await changeDirectory(db, async (trx) => {
    const rows = (await isNew(trx)) ? listed : await besideKnown(trx, listed);
    await upsertAccounts(trx, rows.accounts);
    await upsertUsers(trx, rows.users);
    await upsertApps(trx, rows.apps);
    await upsertKeys(trx, rows.keys);
    await upsertPrices(trx, rows.prices);
  });
}

/**
 * Whether the database was never seeded. Then the rows refer only to each other, which was checked before. A second check by
 * the database takes twice as long as the write. A superuser, as in an embedded store, may skip it.
 */
async function isNew(trx: Transaction<Database>): Promise<boolean> {
  const { rows } = await sql`
    select 1 from accounts union all select 1 from prices union all select 1 from deleted_seeds
    limit 1`.execute(trx);
  if (rows.length > 0) return false;
  await sql`
    select set_config('session_replication_role', 'replica', true)
    where current_setting('is_superuser') = 'on'`.execute(trx);
  // Then the triggers do not note whose keys change either.
  await sql`
    insert into key_revisions select '', revision from directory_revision
    on conflict (account_id) do update set revision = excluded.revision`.execute(trx);
  return true;
}

/**
 * Deletes rows that are no longer listed, rejects conflicts, and returns the listed rows without those that administrators
 * deleted.
 */
async function besideKnown(trx: Transaction<Database>, listed: SeedRows): Promise<SeedRows> {
  await deleteUnlisted(trx, listed);
  await refuseMoves(trx, listed);
  return withoutDeleted(trx, listed);
}

async function deleteUnlisted(trx: Transaction<Database>, rows: SeedRows): Promise<void> {
  const keys = JSON.stringify(rows.keys.map(({ id }) => id));
  const prices = JSON.stringify(rows.prices.map(({ model_id }) => model_id));
  await sql`
    delete from api_keys
    where seed_digest is not null and id not in (select json_array_elements_text(${keys}::json))`.execute(
    trx,
  );
  await sql`
    delete from prices
    where seed_digest is not null
      and model_id not in (select json_array_elements_text(${prices}::json))`.execute(trx);
}

/** Filters out rows that administrators deleted: they stay deleted until their configuration entry changes. */
async function withoutDeleted(trx: Transaction<Database>, rows: SeedRows): Promise<SeedRows> {
  const listed = [
    ...rows.keys.map(({ id, seed_digest }) => ({ kind: 'key', id, seed_digest })),
    ...rows.prices.map(({ model_id: id, seed_digest }) => ({ kind: 'price', id, seed_digest })),
  ];
  await sql`
    delete from deleted_seeds
    where (kind, id, seed_digest) not in (
      select kind, id, seed_digest
      from json_to_recordset(${JSON.stringify(listed)}::json) as x(kind text, id text, seed_digest text))`.execute(
    trx,
  );
  const deleted = await trx.selectFrom('deleted_seeds').select(['kind', 'id']).execute();
  const isThere = (kind: 'key' | 'price', id: string): boolean =>
    !deleted.some((row) => row.kind === kind && row.id === id);
  return {
    ...rows,
    keys: rows.keys.filter(({ id }) => isThere('key', id)),
    prices: rows.prices.filter(({ model_id }) => isThere('price', model_id)),
  };
}

interface Clash {
  kind: 'user' | 'app' | 'key' | 'secret';
  id: string;
  /** The account that has the id now; for a secret, the key that has it. */
  was: string;
  now: string;
}

/** Finds every conflict between the listed rows and the database with one query. */
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

// Each statement takes its rows as one JSON document, so the number of statements does not grow with the rows. A row with an
// unchanged entry is not written again.

async function upsertAccounts(trx: Transaction<Database>, rows: SeedRows['accounts']): Promise<void> {
  await sql`
    insert into accounts (id, models, prepaid, overdraft_pico, monthly_tokens, channels_of, seed_digest)
    select id, models, prepaid, coalesce(overdraft_pico, 0), monthly_tokens, channels_of, seed_digest
    from json_to_recordset(${JSON.stringify(rows)}::json) as x(
      id text, models text[], prepaid boolean, overdraft_pico numeric, monthly_tokens bigint, channels_of text,
      seed_digest text)
    on conflict (id) do update set
      models = excluded.models, prepaid = excluded.prepaid, overdraft_pico = excluded.overdraft_pico,
      monthly_tokens = excluded.monthly_tokens, channels_of = excluded.channels_of, seed_digest = excluded.seed_digest
    where accounts.seed_digest is distinct from excluded.seed_digest`.execute(trx);
}

async function upsertUsers(trx: Transaction<Database>, rows: SeedRows['users']): Promise<void> {
  await sql`
    insert into users (id, account_id, cap, seed_digest)
    select id, account_id, cap, seed_digest
    from json_to_recordset(${JSON.stringify(rows)}::json) as x(
      id text, account_id text, cap integer, seed_digest text)
    on conflict (id) do update set cap = excluded.cap, seed_digest = excluded.seed_digest
    where users.seed_digest is distinct from excluded.seed_digest`.execute(trx);
}

async function upsertApps(trx: Transaction<Database>, rows: SeedRows['apps']): Promise<void> {
  await sql`
    insert into apps (id, account_id, markup_bp, model_markup_bp, seed_digest)
    select id, account_id, markup_bp, model_markup_bp, seed_digest
    from json_to_recordset(${JSON.stringify(rows)}::json) as x(
      id text, account_id text, markup_bp integer, model_markup_bp jsonb, seed_digest text)
    on conflict (id) do update set
      markup_bp = excluded.markup_bp, model_markup_bp = excluded.model_markup_bp, seed_digest = excluded.seed_digest
    where apps.seed_digest is distinct from excluded.seed_digest`.execute(trx);
}

async function upsertKeys(trx: Transaction<Database>, rows: SeedRows['keys']): Promise<void> {
  await sql`
    insert into api_keys
      (id, account_id, user_id, app_id, hash, prefix, last4, disabled, expires_at, allow, seed_digest)
    select id, account_id, user_id, app_id, hash, prefix, last4, disabled, expires_at, allow, seed_digest
    from json_to_recordset(${JSON.stringify(rows)}::json) as x(
      id text, account_id text, user_id text, app_id text, hash text, prefix text, last4 text,
      disabled boolean, expires_at timestamptz, allow text[], seed_digest text)
    on conflict (id) do update set
      user_id = excluded.user_id, app_id = excluded.app_id, hash = excluded.hash, prefix = excluded.prefix,
      last4 = excluded.last4, disabled = excluded.disabled, expires_at = excluded.expires_at, allow = excluded.allow,
      seed_digest = excluded.seed_digest
    where api_keys.seed_digest is distinct from excluded.seed_digest`.execute(trx);
}

async function upsertPrices(trx: Transaction<Database>, rows: SeedRows['prices']): Promise<void> {
  await sql`
    insert into prices
      (model_id, input_pico, output_pico, cached_percent, write_5m_percent, write_1h_percent, unit, unit_pico,
       quality_pico, seed_digest)
    select model_id, input_pico, output_pico, cached_percent, write_5m_percent, write_1h_percent, unit, unit_pico,
      quality_pico, seed_digest
    from json_to_recordset(${JSON.stringify(rows)}::json) as x(
      model_id text, input_pico bigint, output_pico bigint, cached_percent integer, write_5m_percent integer,
      write_1h_percent integer, unit text, unit_pico bigint, quality_pico jsonb, seed_digest text)
    on conflict (model_id) do update set
      input_pico = excluded.input_pico, output_pico = excluded.output_pico, cached_percent = excluded.cached_percent,
      write_5m_percent = excluded.write_5m_percent, write_1h_percent = excluded.write_1h_percent,
      unit = excluded.unit, unit_pico = excluded.unit_pico, quality_pico = excluded.quality_pico,
      seed_digest = excluded.seed_digest
    where prices.seed_digest is distinct from excluded.seed_digest`.execute(trx);
}
