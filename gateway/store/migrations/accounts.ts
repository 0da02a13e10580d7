import { type RawBuilder, sql } from 'kysely';
import { fencedState } from '../connection-failure.ts';

/** Accounts, users, apps and keys; calls in flight by user; and the state that processes share, also across starts. */
export const accounts = [
  sql`
    create table accounts (
      id text primary key,
      models text[],
      prepaid boolean not null default false,
      monthly_tokens bigint check (monthly_tokens >= 0),
      channels_of text references accounts (id),
      overdraft_pico numeric(38, 0) not null default 0 check (overdraft_pico >= 0),
      created_at timestamptz not null default now(),
      seed_digest text
    )`,
  sql`
    create table users (
      id text primary key,
      account_id text not null references accounts (id),
      cap integer not null check (cap > 0),
      seed_digest text,
      unique (account_id, id)
    )`,
  sql`
    create table apps (
      id text primary key,
      account_id text not null references accounts (id),
      markup_bp integer not null,
      model_markup_bp jsonb not null default '{}',
      seed_digest text,
      unique (account_id, id)
    )`,
  // A key's user and app belong to the key's account. The hash is unique per statement, not per row, so that two
  // keys can swap their secrets in one update.
  sql`
    create table api_keys (
      id text primary key,
      account_id text not null references accounts (id),
      user_id text not null,
      app_id text not null,
      hash text not null unique deferrable initially immediate,
      prefix text not null,
      last4 text not null,
      disabled boolean not null default false,
      expires_at timestamptz,
      allow text[] not null default '{}',
      created_at timestamptz not null default now(),
      seed_digest text,
      foreign key (account_id, user_id) references users (account_id, id),
      foreign key (account_id, app_id) references apps (account_id, id)
    )`,
  // A user's leases are one row, so that the lock of that row makes counting and taking one step. The table is
  // unlogged: a lease is worthless after a crash, so no commit must wait for the disk. Half of each page stays
  // free, so that an update needs no new index entry.
  sql`
    create unlogged table slot_leases (
      user_id text primary key,
      leases jsonb not null default '{}'
    ) with (fillfactor = 50)`,
  // The counter that tells every process that accounts, keys or prices have changed.
  sql`create table directory_revision (is_only boolean primary key default true check (is_only), revision bigint not null)`,
  sql`insert into directory_revision (revision) values (0)`,
  ...keyRevisions(),
  // Rows that an administrator deleted but the configuration still lists: a restart must not restore them.
  sql`
    create table deleted_seeds (
      kind text not null check (kind in ('key', 'price')),
      id text not null,
      seed_digest text not null,
      primary key (kind, id)
    )`,
  // The processes that share the database, with the lease of each. A process without a row is dead and may not write.
  sql`create table processes (id text primary key, lease_until timestamptz not null)`,
  sql`
    create function demand_process(process text) returns boolean language plpgsql stable as $$
    begin
      if exists (select from processes) and not exists (select from processes where id = process) then
        raise exception 'the process % was taken for gone', process using errcode = ${sql.lit(fencedState)};
      end if;
      return true;
    end
    $$`,
  // Which changes of the directory each process on a server has in effect.
  sql`create table directory_readers (process text primary key, revision bigint not null)`,
  // Digests of upstream keys and addresses, by which a start detects changes.
  sql`create table channel_keys (channel_id text primary key, digest text not null)`,
  // Distinguishes embedded stores: copies of one cluster have the same system identifier.
  sql`
    create table store_identity (
      only_row boolean primary key default true check (only_row),
      id uuid not null default gen_random_uuid()
    )`,
  // A process that doubts whether the database takes writes tests it here.
  sql`create table write_probe (filler text)`,
  sql`create table drained_channels (channel_id text primary key, since timestamptz not null)`,
  // Changes by administrators, and the token of each. `unknown` means that the change runs outside the transaction of its
  // audit row and its outcome is not recorded. The request body is JSON text, because it may hold escapes that no PostgreSQL
  // text accepts.
  sql`
    create table admin_audit (
      id bigint generated always as identity primary key,
      at timestamptz not null,
      token text not null,
      method text not null,
      path text not null,
      resource text not null,
      resource_id text,
      account_id text,
      request_id text not null,
      changes json not null,
      outcome text not null check (outcome in ('done', 'unknown'))
    )`,
  sql`create index admin_audit_by_account on admin_audit (account_id, id)`,
  sql`create index admin_audit_by_resource on admin_audit (resource, resource_id, id)`,
];

/**
 * At which revision the keys of an account last changed, or what they inherit from its user, app or account. Triggers keep
 * it, so that no writer can forget it. Keys, users and apps never change their account. A change of more than a hundred accounts counts for all,
 * whose row has no name.
 */
function keyRevisions(): RawBuilder<unknown>[] {
  const events = { insert: 'new', update: 'new', delete: 'old', truncate: null };
  const tables = { accounts: 'id', users: 'account_id', apps: 'account_id', api_keys: 'account_id' };
  const triggers = Object.entries(tables).flatMap(([table, account]) =>
    Object.entries(events).map(([event, rows]) =>
      sql.raw(
        `create trigger ${table}_${event}_revision after ${event} on ${table}
        ${rows === null ? '' : `referencing ${rows} table as changed`}
        for each statement execute function note_key_revision(${account})`,
      ),
    ),
  );
  return [
    sql`create table key_revisions (account_id text primary key, revision bigint not null)`,
    sql`create index key_revisions_by_revision on key_revisions (revision)`,
    // Counting locks the counter until the transaction ends, so that revisions are committed in their order.
    sql`
      create function note_key_revision() returns trigger language plpgsql as $$
      declare
        ids text[];
      begin
        if tg_op = 'TRUNCATE' then
          ids := '{""}';
        else
          execute format('select array_agg(id) from (select distinct %I as id from changed limit 101) as x', tg_argv[0])
            into ids;
        end if;
        if ids is null then return null; end if;
        if cardinality(ids) > 100 then ids := '{""}'; end if;
        update directory_revision set revision = revision + 1;
        insert into key_revisions (account_id, revision)
          select id, revision from unnest(ids) as x(id), directory_revision
          on conflict (account_id) do update set revision = excluded.revision;
        return null;
      end
      $$`,
    ...triggers,
  ];
}
