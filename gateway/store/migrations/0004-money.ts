import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

// Money is numeric without decimals: whole pico-USD, which outgrow 64 bits at nine million dollars.
const STATEMENTS = [
  sql`
    alter table accounts
      add column prepaid boolean not null default false,
      add column monthly_tokens bigint check (monthly_tokens >= 0),
      add column channels_of text references accounts (id),
      add column seed_digest text`,
  sql`alter table users add column seed_digest text`,
  sql`
    alter table apps
      add column model_markup_bp jsonb not null default '{}',
      add column seed_digest text`,
  sql`
    alter table api_keys
      add column created_at timestamptz not null default now(),
      add column seed_digest text`,
  sql`
    create table prices (
      model_id text primary key,
      input_pico bigint not null check (input_pico >= 0),
      output_pico bigint not null check (output_pico >= 0),
      cached_percent integer not null check (cached_percent between 0 and 1000),
      write_5m_percent integer not null check (write_5m_percent between 0 and 1000),
      write_1h_percent integer not null check (write_1h_percent between 0 and 1000),
      seed_digest text
    )`,
  sql`create table drained_channels (channel_id text primary key, since timestamptz not null)`,
  sql`
    create table ledger_entries (
      id bigint generated always as identity primary key,
      transfer_id text not null,
      kind text not null check (kind in ('grant', 'hold', 'settle', 'void', 'correction')),
      account_id text not null,
      book text not null check (book in ('credits', 'held', 'revenue', 'grants')),
      amount_pico numeric(38, 0) not null,
      request_id text,
      note text,
      posted_at timestamptz not null,
      unique (transfer_id, book)
    )`,
  sql`create index ledger_entries_by_account on ledger_entries (account_id, id)`,
  sql`create index ledger_entries_by_request on ledger_entries (request_id) where request_id is not null`,
  sql`
    create trigger ledger_entries_append_only
    before update or delete or truncate on ledger_entries
    for each statement execute function refuse_rewriting()`,
  // What follows can be made again from the entries and the usage records: running totals for the gate, and open holds.
  sql`
    create table account_balances (
      account_id text primary key,
      posted_pico numeric(38, 0) not null default 0,
      held_pico numeric(38, 0) not null default 0
    )`,
  sql`
    create table token_usage (
      account_id text not null,
      month text not null,
      tokens bigint not null default 0,
      primary key (account_id, month)
    )`,
  sql`
    create table open_holds (
      request_id text primary key,
      account_id text not null,
      amount_pico numeric(38, 0) not null,
      holder text not null,
      held_at timestamptz not null
    )`,
  sql`
    alter table usage_records
      add column charge_pico numeric(38, 0) not null default 0,
      add column price jsonb,
      add column parents text[] not null default '{}'`,
  sql`create index usage_records_by_time on usage_records (ended_at, request_id)`,
  sql`create index usage_records_by_end_user on usage_records (account_id, end_user) where end_user is not null`,
  sql`create index usage_records_by_metadata on usage_records using gin (metadata jsonb_path_ops)`,
];

/** Prices, the double-entry ledger with the totals that are kept beside it, quotas, and what a request cost. */
export const addMoney: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of STATEMENTS) {
      await statement.execute(db);
    }
  },
};
