import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

// A model has a price by the token or by the unit. Prices of single qualities are digits as text, by quality.
const STATEMENTS = [
  sql`
    alter table prices
      alter column input_pico drop not null,
      alter column output_pico drop not null,
      alter column cached_percent drop not null,
      alter column write_5m_percent drop not null,
      alter column write_1h_percent drop not null,
      add column unit text check (unit in ('image', 'second', 'task')),
      add column unit_pico bigint check (unit_pico >= 0),
      add column quality_pico jsonb,
      add constraint prices_one_kind check (case when unit is null
        then num_nulls(input_pico, output_pico, cached_percent, write_5m_percent, write_1h_percent) = 0
          and num_nonnulls(unit_pico, quality_pico) = 0
        else num_nonnulls(input_pico, output_pico, cached_percent, write_5m_percent, write_1h_percent) = 0
          and unit_pico is not null
        end)`,
  sql`
    alter table usage_records
      add column units integer check (units >= 0),
      add column unit text check (unit in ('image', 'second', 'task')),
      add column task_id text`,
  sql`create index usage_records_by_task on usage_records (task_id) where task_id is not null`,
];

// As in 0007-post-ledger, with the units of a record and its task.
const POST_ENDS = sql`
  create or replace function post_ends(settles json, voids json)
  returns void language plpgsql set enable_seqscan = off set jit = off as $$
  #variable_conflict use_column
  declare
    most_tokens constant numeric := 9223372036854775807;
  begin
    perform from open_holds where request_id in (
      select request_id from json_to_recordset(settles) as x(request_id text)
      union all select request_id from json_to_recordset(voids) as x(request_id text)
    ) order by request_id for update;

    with
      recorded as (
        insert into usage_records (
          request_id, account_id, user_id, app_id, key_id, model_requested, model_served, channel_id, outcome, stream,
          attempts, prompt_tokens, completion_tokens, cached_tokens, cache_write_5m_tokens, cache_write_1h_tokens,
          usage_known, units, unit, task_id, charge_pico, price, parents, end_user, metadata, started_at, ended_at)
        select
          request_id, account_id, user_id, app_id, key_id, model_requested, model_served, channel_id, outcome, stream,
          attempts, prompt_tokens, completion_tokens, cached_tokens, cache_write_5m_tokens, cache_write_1h_tokens,
          usage_known, units, unit, task_id, charge_pico, price, parents, end_user, metadata, started_at, ended_at
        from json_to_recordset(settles) as x(
          n integer, request_id text, account_id text, user_id text, app_id text, key_id text, model_requested text,
          model_served text, channel_id text, outcome text, stream boolean, attempts integer, prompt_tokens bigint,
          completion_tokens bigint, cached_tokens bigint, cache_write_5m_tokens bigint, cache_write_1h_tokens bigint,
          usage_known boolean, units integer, unit text, task_id text, charge_pico numeric, price jsonb, parents text[],
          end_user text, metadata jsonb, started_at timestamptz, ended_at timestamptz)
        order by request_id, n
        on conflict (request_id) do nothing
        returning request_id, account_id, charge_pico, prompt_tokens::numeric + completion_tokens as tokens, ended_at
      ),
      done as (
        select request_id, 'settle' as kind, charge_pico as charge, ended_at as at from recorded
        union all
        select request_id, 'void', 0, min(at) from json_to_recordset(voids) as x(request_id text, at timestamptz)
        where request_id not in (select request_id from recorded) group by request_id
      ),
      ended as (
        delete from open_holds h using done d where h.request_id = d.request_id
        returning h.request_id, h.account_id, h.amount_pico, d.kind, d.charge, d.at
      ),
      entries as (
        select 'end:' || e.request_id as transfer_id, e.kind, e.account_id, y.book, y.amount, e.request_id, e.at
        from ended e cross join lateral (values
          ('held', -e.amount_pico), ('credits', e.amount_pico - e.charge), ('revenue', e.charge)) as y(book, amount)
        where e.kind = 'settle' or y.book <> 'revenue'
        union all
        select 'late:' || r.request_id, 'settle', r.account_id, y.book, y.amount, r.request_id, r.ended_at
        from recorded r
          cross join lateral (values ('credits', -r.charge_pico), ('revenue', r.charge_pico)) as y(book, amount)
        where r.request_id not in (select request_id from ended)
      ),
      written as (
        insert into ledger_entries (transfer_id, kind, account_id, book, amount_pico, request_id, posted_at)
        select transfer_id, kind, account_id, book, amount, request_id, at from entries order by transfer_id, book
        on conflict (transfer_id, book) do nothing
        returning account_id, book, amount_pico
      ),
      balances as (
        insert into account_balances as b (account_id, posted_pico, held_pico)
        select
          account_id,
          coalesce(sum(amount_pico) filter (where book in ('credits', 'held')), 0),
          coalesce(sum(amount_pico) filter (where book = 'held'), 0)
        from written group by account_id order by account_id
        on conflict (account_id) do update set
          posted_pico = b.posted_pico + excluded.posted_pico, held_pico = b.held_pico + excluded.held_pico
        returning account_id
      )
    insert into token_usage as t (account_id, month, tokens)
    select account_id, to_char(ended_at at time zone 'UTC', 'YYYY-MM') as month, least(sum(tokens), most_tokens)
    from recorded
    where (select count(*) from balances) >= 0 and tokens > 0
    group by account_id, month order by account_id, month
    on conflict (account_id, month) do update set tokens = least(t.tokens::numeric + excluded.tokens, most_tokens);
  end
  $$`;

/** Prices by what a model makes, and how much of it a request made. */
export const addUnits: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of [...STATEMENTS, POST_ENDS]) {
      await statement.execute(db);
    }
  },
};
