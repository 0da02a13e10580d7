import { sql } from 'kysely';
import { tasksHolder } from '../ledger-tables.ts';

// Each function posts many commands of one kind and takes locks in a fixed order: open holds by request, records and entries
// by key, then balances and months by account. So two processes that post at once wait for each other and never deadlock. A
// repeated command finds its key and changes nothing. Totals count only rows that were written. Query plans are cached per
// session, perhaps while tables are empty, so the functions force plans that use the indexes. Each kind has its own function,
// because a statement costs time for all its parts, even unused ones.

// Credits limit what is submitted: each hold is deducted before the next one is judged, also within a batch. Prepaid accounts
// are locked first, so that two processes judge one after the other. The end of a request locks no account. A block is a hold
// that covers many calls of one account. It is taken only if the account can spare many times its amount, and never for an
// account with a quota. So no block causes a rejection. A further hold of a task is the task's, whichever process dies. Once the
// task is settled, nothing would end it any more, so it is not written.
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
    block_share constant numeric := 8;
  begin
    perform demand_process(new_holder);
    perform from accounts where prepaid and id in (
      select account_id from json_to_recordset(holds) as x(account_id text)
    ) order by id for no key update;
    perform from open_holds where request_id in (
      select of_task from json_to_recordset(holds) as x(of_task text)
    ) order by request_id for key share;

    for one in
      select x.n, x.account_id, x.amount, x.overshoots, x.is_block, a.id as known, a.prepaid, a.monthly_tokens,
        o.request_id is not null as is_open,
        x.of_task is not null and (o.request_id is not null or own.request_id is null) as is_moot,
        coalesce(b.posted_pico, 0) + coalesce(a.overdraft_pico, 0) as bound, coalesce(b.held_pico, 0) as held,
        case when x.month is not null then coalesce(t.tokens, 0) end as tokens
      from json_to_recordset(holds) as x(
        n integer, request_id text, account_id text, amount numeric, overshoots boolean, is_block boolean, month text,
        of_task text)
        left join accounts a on a.id = x.account_id
        left join account_balances b on b.account_id = x.account_id
        left join token_usage t on t.account_id = x.account_id and t.month = x.month
        left join open_holds o on o.request_id = x.request_id
        left join open_holds own on own.request_id = x.of_task
      order by x.account_id, x.n
    loop
      if one.account_id is distinct from current_account then
        current_account := one.account_id;
        free := one.bound - one.held;
      end if;
      verdict := case
        when one.is_moot then 'held'
        when one.is_block and (one.known is null or one.monthly_tokens is not null) then 'no_cover'
        when one.is_block and one.prepaid and free < one.amount * block_share then 'no_cover'
        when one.prepaid and one.bound <= 0 then 'no_credits'
        when one.tokens >= one.monthly_tokens then 'no_quota'
        when not one.is_open and one.prepaid and one.overshoots and free <= 0 then 'no_cover'
        when not one.is_open and one.prepaid and not one.overshoots and free < one.amount then 'no_cover'
        else 'held'
      end;
      if verdict = 'held' and not one.is_open and not one.is_moot then free := free - one.amount; end if;
      places := array_append(places, one.n);
      verdicts := array_append(verdicts, verdict);
    end loop;

    return query
    with
      asked as materialized (
        select x.n, x.request_id, x.account_id, x.amount, x.at, x.of_task, v.result
        from json_to_recordset(holds) as x(
          n integer, request_id text, account_id text, amount numeric, at timestamptz, of_task text)
          join unnest(places, verdicts) as v(n, result) on v.n = x.n
      ),
      written as (
        insert into ledger_entries (transfer_id, kind, account_id, book, amount_pico, request_id, posted_at)
        select 'hold:' || x.request_id, 'hold', x.account_id, y.book, y.amount, x.request_id, x.at
        from asked x cross join lateral (values ('credits', -x.amount), ('held', x.amount)) as y(book, amount)
        where x.result = 'held' and (x.of_task is null or exists (
          select from open_holds o where o.request_id = x.of_task))
        order by x.request_id, y.book, x.n
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
        select request_id, account_id, amount_pico,
          case when request_id in (select x.request_id from asked x where x.of_task is not null)
            then '${sql.raw(tasksHolder)}' else new_holder end, posted_at
        from written where book = 'held'
      )
    select asked.n, asked.result from asked;
  end
  $$`;

const recordColumns = sql.raw(`
  request_id, account_id, user_id, app_id, key_id, model_requested, model_served, channel_id, outcome, stream,
  attempts, prompt_tokens, completion_tokens, cached_tokens, cache_write_5m_tokens, cache_write_1h_tokens,
  usage_known, units, unit, task_id, charge_pico, price, parents, end_user, metadata, started_at, ended_at`);

const recordsOfSettles = sql.raw(`json_to_recordset(settles) as x(
  n integer, request_id text, account_id text, user_id text, app_id text, key_id text, model_requested text,
  model_served text, channel_id text, outcome text, stream boolean, attempts integer, prompt_tokens bigint,
  completion_tokens bigint, cached_tokens bigint, cache_write_5m_tokens bigint, cache_write_1h_tokens bigint,
  usage_known boolean, units integer, unit text, task_id text, charge_pico numeric, price jsonb, parents text[],
  end_user text, metadata jsonb, started_at timestamptz, ended_at timestamptz)`);

// `touched` names the holds that end; they are locked first, in the order of requests. A record without a hold is charged
// `late`: a block covers it, or its hold was released in the meantime.
const postEnds = sql`
  create function post_ends(settles json, voids json, touched text[])
  returns void language plpgsql set enable_seqscan = off set jit = off as $$
  #variable_conflict use_column
  declare
    most_tokens constant numeric := 9223372036854775807;
  begin
    perform from open_holds where request_id = any (touched) order by request_id for update;

    with
      recorded as (
        insert into usage_records (${recordColumns})
        select ${recordColumns} from ${recordsOfSettles}
        order by request_id, n
        on conflict (request_id) do nothing
        returning request_id, account_id, charge_pico, prompt_tokens::numeric + completion_tokens as tokens, ended_at
      ),
      done as (
        select request_id, 'settle' as kind, charge_pico as charge, ended_at as at from recorded
        where request_id = any (touched)
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

// Under load most batches end no hold of their own. The caller passes their changes of balances and token counts, so that
// nothing is derived from inserted rows. If a request was settled before, its key exists, and nothing is written.
const settleCovered = sql`
  create function settle_covered(settles json, totals json)
  returns void language plpgsql set enable_seqscan = off as $$
    #variable_conflict use_column
    declare
      most_tokens constant numeric := 9223372036854775807;
    begin
      with recorded as (
        insert into usage_records (${recordColumns})
        select ${recordColumns} from ${recordsOfSettles}
        returning request_id, account_id, charge_pico, ended_at
      )
      insert into ledger_entries (transfer_id, kind, account_id, book, amount_pico, request_id, posted_at)
      select 'late:' || r.request_id, 'settle', r.account_id, y.book, y.sign * r.charge_pico, r.request_id, r.ended_at
      from recorded r cross join (values ('credits', -1), ('revenue', 1)) as y(book, sign);

      insert into account_balances as b (account_id, posted_pico)
      select account_id, -sum(charge)
      from json_to_recordset(totals) as x(account_id text, charge numeric)
      group by account_id order by account_id
      on conflict (account_id) do update set posted_pico = b.posted_pico + excluded.posted_pico;

      insert into token_usage as t (account_id, month, tokens)
      select account_id, month, least(tokens, most_tokens)
      from json_to_recordset(totals) as x(account_id text, month text, tokens numeric)
      where tokens > 0 order by account_id, month
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

/** The functions that write the ledger: holds; settlements with usage records, and voids; grants and corrections. */
export const posting = [postHolds, postEnds, settleCovered, postCredits];
