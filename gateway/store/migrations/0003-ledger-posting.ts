import { sql } from 'kysely';
import { statements } from './statements.ts';

// Each function posts many commands of one kind and takes locks in a fixed order. The order is: open holds by
// request, then records and entries by their keys, then balances and months by account. So two processes that post
// at once only wait for each other and never deadlock. A repeated command finds its key (of a usage record, a
// transfer, an open hold) and changes nothing. Totals count only rows that were really written. Plans are made
// once in a session, perhaps while tables are empty, so they must be made to use the indexes. There is one
// function for each kind, because a statement costs time for all its parts, even those without work.

const postHolds = sql`
  create function post_holds(holds json, new_holder text)
  returns table (n integer, result text) language plpgsql set enable_seqscan = off set jit = off as $$
  #variable_conflict use_column
  begin
    return query
    with
      asked as materialized (
        select x.n, x.request_id, x.account_id, x.amount, x.at, case
            when a.prepaid and coalesce(b.posted_pico, 0) <= 0 then 'no_credits'
            when coalesce(t.tokens, 0) >= a.monthly_tokens then 'no_quota'
            else 'held'
          end as result
        from json_to_recordset(holds) as x(
          n integer, request_id text, account_id text, amount numeric, month text, at timestamptz)
          left join accounts a on a.id = x.account_id
          left join account_balances b on b.account_id = x.account_id
          left join token_usage t on t.account_id = x.account_id and t.month = x.month
      ),
      written as (
        insert into ledger_entries (transfer_id, kind, account_id, book, amount_pico, request_id, posted_at)
        select 'hold:' || x.request_id, 'hold', x.account_id, y.book, y.amount, x.request_id, x.at
        from asked x cross join lateral (values ('credits', -x.amount), ('held', x.amount)) as y(book, amount)
        where x.result = 'held' order by x.request_id, y.book, x.n
        on conflict (transfer_id, book) do nothing
        returning request_id, account_id, book, amount_pico, posted_at
      ),
      balances as (
        insert into account_balances as b (account_id, held_pico)
        select account_id, sum(amount_pico) from written where book = 'held' group by account_id order by account_id
        on conflict (account_id) do update set held_pico = b.held_pico + excluded.held_pico
      ),
      opened as (
        insert into open_holds (request_id, account_id, amount_pico, holder, held_at)
        select request_id, account_id, amount_pico, new_holder, posted_at from written where book = 'held'
      )
    select asked.n, asked.result from asked;
  end
  $$`;

const postEnds = sql`
  create function post_ends(settles json, voids json)
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

const postCredits = sql`
  create function post_credits(postings json)
  returns table (n integer, result text) language plpgsql set enable_seqscan = off set jit = off as $$
  #variable_conflict use_column
  declare
    written_transfers text[];
  begin
    with
      written as (
        insert into ledger_entries (transfer_id, kind, account_id, book, amount_pico, request_id, note, posted_at)
        select x.transfer_id, x.kind, x.account_id, y.book, y.amount, x.request_id, x.note, x.at
        from json_to_recordset(postings) as x(
          n integer, transfer_id text, kind text, account_id text, amount numeric, against text, request_id text,
          note text, at timestamptz)
          cross join lateral (values ('credits', x.amount), (x.against, -x.amount)) as y(book, amount)
        order by x.transfer_id, y.book, x.n
        on conflict (transfer_id, book) do nothing
        returning transfer_id, account_id, book, amount_pico
      ),
      balances as (
        insert into account_balances as b (account_id, posted_pico)
        select account_id, sum(amount_pico) from written where book = 'credits' group by account_id order by account_id
        on conflict (account_id) do update set posted_pico = b.posted_pico + excluded.posted_pico
      )
    select coalesce(array_agg(transfer_id), '{}') from written into written_transfers;

    return query
      select x.n, case
          when x.transfer_id = any (written_transfers) and x.turn = 1 then 'posted'
          when e.account_id = x.account_id and e.amount_pico = x.amount then 'known'
          else 'different'
        end
      from (
        select *, row_number() over (partition by transfer_id order by n) as turn
        from json_to_recordset(postings) as p(n integer, transfer_id text, account_id text, amount numeric)
      ) as x join ledger_entries e on e.transfer_id = x.transfer_id and e.book = 'credits';
  end
  $$`;

/**
 * The functions that write the ledger: holds; settlements with usage records, and voids; grants and corrections.
 */
export const createLedgerPosting = statements([postHolds, postEnds, postCredits]);
