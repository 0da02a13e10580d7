import { sql } from 'kysely';
import { statements } from './statements.ts';

// Under load every call of a batch is covered by a block, and most of what `post_ends` could do has no work: it costs time
// all the same. Without `jit = off`, since setting and resetting costs a tenth of a small batch, and no plan here is dear
// enough for it.
const postCovered = sql`
  create function post_covered(settles json, blocks text[])
  returns void language plpgsql set enable_seqscan = off as $$
    #variable_conflict use_column
    declare
      most_tokens constant numeric := 9223372036854775807;
    begin
      perform from open_holds where request_id = any (blocks) order by request_id for update;
      with
        asked as materialized (
          select * from json_to_recordset(settles) as x(
            n integer, request_id text, account_id text, user_id text, app_id text, key_id text, model_requested text,
            model_served text, channel_id text, outcome text, stream boolean, attempts integer, prompt_tokens bigint,
            completion_tokens bigint, cached_tokens bigint, cache_write_5m_tokens bigint, cache_write_1h_tokens bigint,
            usage_known boolean, units integer, unit text, task_id text, charge_pico numeric, price jsonb, parents text[],
            end_user text, metadata jsonb, started_at timestamptz, ended_at timestamptz, block text)
        ),
        recorded as (
          insert into usage_records (
            request_id, account_id, user_id, app_id, key_id, model_requested, model_served, channel_id, outcome, stream,
            attempts, prompt_tokens, completion_tokens, cached_tokens, cache_write_5m_tokens, cache_write_1h_tokens,
            usage_known, units, unit, task_id, charge_pico, price, parents, end_user, metadata, started_at, ended_at)
          select
            request_id, account_id, user_id, app_id, key_id, model_requested, model_served, channel_id, outcome, stream,
            attempts, prompt_tokens, completion_tokens, cached_tokens, cache_write_5m_tokens, cache_write_1h_tokens,
            usage_known, units, unit, task_id, charge_pico, price, parents, end_user, metadata, started_at, ended_at
          from asked
          order by request_id, n
          on conflict (request_id) do nothing
          returning request_id, account_id, charge_pico, prompt_tokens::numeric + completion_tokens as tokens, ended_at
        ),
        covered as (
          select a.block, sum(r.charge_pico) as charge, min(r.request_id) as first, max(r.ended_at) as at
          from recorded r join (select distinct request_id, block from asked) a
            on a.request_id = r.request_id
          group by a.block
        ),
        drawn as materialized (
          select h.request_id as block, h.account_id, least(h.amount_pico, c.charge) as amount, c.first, c.at
          from covered c join open_holds h on h.request_id = c.block where c.charge > 0 and h.amount_pico > 0
        ),
        shrunk as (
          update open_holds h set amount_pico = h.amount_pico - d.amount from drawn d where h.request_id = d.block
        ),
        entries as (
          select 'late:' || r.request_id as transfer_id, 'settle' as kind, r.account_id, y.book, y.amount, r.request_id, r.ended_at as at
          from recorded r
            cross join lateral (values ('credits', -r.charge_pico), ('revenue', r.charge_pico)) as y(book, amount)
          union all
          select 'draw:' || d.block || ':' || d.first, 'void', d.account_id, y.book, y.amount, d.block, d.at
          from drawn d cross join lateral (values ('held', -d.amount), ('credits', d.amount)) as y(book, amount)
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

/** Settlements that draw on blocks, and an index that has no entries of records without metadata. */
export const settleCovered = statements([
  postCovered,
  sql`
    create index usage_records_with_metadata on usage_records using gin (metadata jsonb_path_ops)
    where metadata is not null`,
  sql`drop index usage_records_by_metadata`,
]);
