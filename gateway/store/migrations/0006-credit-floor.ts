import { sql } from 'kysely';
import { statements } from './statements.ts';

const overdraft = sql`
  alter table accounts add column overdraft_pico numeric(38, 0) not null default 0 check (overdraft_pico >= 0)`;

// Credits bound what is submitted: a hold is taken off before the next one is judged, those of the same batch too.
// Prepaid accounts are locked first, so that two processes judge one after the other. No end of a request locks an
// account, and an end only ever frees more than it charges.
const postHolds = sql`
  create function post_holds(holds json, new_holder text)
  returns table (n integer, result text) language plpgsql set enable_seqscan = off set jit = off as $$
  #variable_conflict use_column
  declare
    one record;
    current_account text;
    free numeric;
    verdict text;
    places integer[] := '{}';
    verdicts text[] := '{}';
  begin
    perform from accounts where prepaid and id in (
      select account_id from json_to_recordset(holds) as x(account_id text)
    ) order by id for no key update;

    for one in
      select x.n, x.account_id, x.amount, x.overshoots, a.prepaid, a.monthly_tokens, o.request_id as open,
        coalesce(b.posted_pico, 0) + coalesce(a.overdraft_pico, 0) as bound, coalesce(b.held_pico, 0) as held,
        coalesce(t.tokens, 0) as tokens
      from json_to_recordset(holds) as x(
        n integer, request_id text, account_id text, amount numeric, overshoots boolean, month text)
        left join accounts a on a.id = x.account_id
        left join account_balances b on b.account_id = x.account_id
        left join token_usage t on t.account_id = x.account_id and t.month = x.month
        left join open_holds o on o.request_id = x.request_id
      order by x.account_id, x.n
    loop
      if one.account_id is distinct from current_account then
        current_account := one.account_id;
        free := one.bound - one.held;
      end if;
      verdict := case
        when one.prepaid and one.bound <= 0 then 'no_credits'
        when one.tokens >= one.monthly_tokens then 'no_quota'
        when one.open is null and one.prepaid and one.overshoots and free <= 0 then 'no_cover'
        when one.open is null and one.prepaid and not one.overshoots and free < one.amount then 'no_cover'
        else 'held'
      end;
      if verdict = 'held' and one.open is null then free := free - one.amount; end if;
      places := array_append(places, one.n);
      verdicts := array_append(verdicts, verdict);
    end loop;

    return query
    with
      asked as materialized (
        select x.n, x.request_id, x.account_id, x.amount, x.at, v.result
        from json_to_recordset(holds) as x(
          n integer, request_id text, account_id text, amount numeric, at timestamptz)
          join unnest(places, verdicts) as v(n, result) on v.n = x.n
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

/** How far below zero a request may take an account, and holds that count before the next request is admitted. */
export const boundCredits = statements([overdraft, sql`drop function post_holds(json, text)`, postHolds]);
