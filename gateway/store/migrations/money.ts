import { sql } from 'kysely';

// Money is numeric without decimals: whole pico-USD, which exceed 64 bits at nine million dollars. Usage records
// and ledger entries have no foreign keys: they stay on record whatever becomes of the account.

// A model has a price per token or per unit. Prices of single qualities are digits as text, by quality.
const prices = sql`
  create table prices (
    model_id text primary key,
    input_pico bigint check (input_pico >= 0),
    output_pico bigint check (output_pico >= 0),
    cached_percent integer check (cached_percent between 0 and 1000),
    write_5m_percent integer check (write_5m_percent between 0 and 1000),
    write_1h_percent integer check (write_1h_percent between 0 and 1000),
    unit text check (unit in ('image', 'second', 'task')),
    unit_pico bigint check (unit_pico >= 0),
    quality_pico jsonb,
    seed_digest text,
    constraint prices_one_kind check (case when unit is null
      then num_nulls(input_pico, output_pico, cached_percent, write_5m_percent, write_1h_percent) = 0
        and num_nonnulls(unit_pico, quality_pico) = 0
      else num_nonnulls(input_pico, output_pico, cached_percent, write_5m_percent, write_1h_percent) = 0
        and unit_pico is not null
      end)
  )`;

const refuseRewriting = sql`
  create function refuse_rewriting() returns trigger language plpgsql as $$
  begin
    raise exception '% is append-only: % refused', tg_table_name, tg_op using errcode = 'restrict_violation';
  end
  $$`;

// A transaction may delete records only after it sets a cut-off time, and only records older than that. The setting ends with
// the transaction.
const refuseUsageRewriting = sql`
  create function refuse_usage_rewriting() returns trigger language plpgsql as $$
  declare
    forgotten constant timestamptz := nullif(current_setting('gatecheck.forget_usage_before', true), '')::timestamptz;
  begin
    if tg_op = 'DELETE' and forgotten is not null then
      if tg_level = 'STATEMENT' then return null; end if;
      if old.ended_at < forgotten then return old; end if;
    end if;
    raise exception '% is append-only: % refused', tg_table_name, tg_op using errcode = 'restrict_violation';
  end
  $$`;

// A deletion must not change what an account has in any book: only requests that ended without a charge can go, each as a whole.
const refuseUnevenForgetting = sql`
  create function refuse_uneven_forgetting() returns trigger language plpgsql as $$
  begin
    if exists (select from gone where kind in ('grant', 'correction'))
      or exists (select from gone group by request_id, book having sum(amount_pico) <> 0) then
      raise exception '% is append-only: % refused', tg_table_name, tg_op using errcode = 'restrict_violation';
    end if;
    return null;
  end
  $$`;

const usage = [
  sql`
    create table usage_records (
      request_id text primary key,
      account_id text not null,
      user_id text not null,
      app_id text not null,
      key_id text not null,
      model_requested text not null,
      model_served text not null,
      channel_id text,
      outcome text not null,
      stream boolean not null,
      attempts integer not null check (attempts >= 0),
      prompt_tokens bigint not null check (prompt_tokens >= 0),
      completion_tokens bigint not null check (completion_tokens >= 0),
      cached_tokens bigint not null check (cached_tokens >= 0),
      cache_write_5m_tokens bigint not null default 0 check (cache_write_5m_tokens >= 0),
      cache_write_1h_tokens bigint not null default 0 check (cache_write_1h_tokens >= 0),
      usage_known boolean not null,
      units integer check (units >= 0),
      unit text check (unit in ('image', 'second', 'task')),
      task_id text,
      charge_pico numeric(38, 0) not null default 0,
      price jsonb,
      parents text[] not null default '{}',
      end_user text,
      metadata jsonb,
      started_at timestamptz not null,
      ended_at timestamptz not null
    )`,
  // Indexes in the order in which administrators read, so that no query reads all records.
  sql`create index usage_records_by_time on usage_records (ended_at, request_id)`,
  sql`create index usage_records_by_account_time on usage_records (account_id, ended_at, request_id)`,
  sql`create index usage_records_by_model_time on usage_records (model_served, ended_at, request_id)`,
  sql`
    create index usage_records_by_end_user_time on usage_records (end_user, ended_at, request_id)
    where end_user is not null`,
  sql`
    create index usage_records_with_metadata on usage_records using gin (metadata jsonb_path_ops)
    where metadata is not null`,
  sql`create index usage_records_by_task on usage_records (task_id) where task_id is not null`,
  refuseUsageRewriting,
  sql`
    create trigger usage_records_append_only
    before update or delete or truncate on usage_records
    for each statement execute function refuse_usage_rewriting()`,
  sql`
    create trigger usage_records_kept
    before delete on usage_records
    for each row execute function refuse_usage_rewriting()`,
];

const ledger = [
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
  // Excludes settlements: they are most of the entries, and their transfers are named after their requests.
  sql`
    create index ledger_entries_of_request on ledger_entries (request_id)
    where request_id is not null and kind <> 'settle'`,
  // One entry for each request that ended without a charge. None of any other, so that charges cost no time here.
  sql`
    create index ledger_entries_uncharged on ledger_entries (account_id, id)
    where (kind = 'void' and book = 'held') or (kind = 'settle' and book = 'revenue' and amount_pico = 0)`,
  sql`
    create trigger ledger_entries_append_only
    before update or truncate on ledger_entries
    for each statement execute function refuse_rewriting()`,
  refuseUnevenForgetting,
  sql`
    create trigger ledger_entries_even
    after delete on ledger_entries referencing old table as gone
    for each statement execute function refuse_uneven_forgetting()`,
];

// Derived data, which entries and usage records can restore: running totals for admission, and open holds.
const totals = [
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
];

/** Prices, usage records and the double-entry ledger with its totals. Records and entries are append-only. */
export const money = [prices, refuseRewriting, ...usage, ...ledger, ...totals];
