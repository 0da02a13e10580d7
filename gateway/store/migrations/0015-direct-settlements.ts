import { sql } from 'kysely';
import { statements } from './statements.ts';

// What a batch adds to balances and to counts of tokens comes with it, so that nothing has to be derived from what was
// inserted; blocks are not touched. If a request was settled before, the sums are wrong: nothing is written then.
const postCovered = sql`
  create function settle_covered(settles json, totals json)
  returns void language plpgsql set enable_seqscan = off as $$
    #variable_conflict use_column
    declare
      most_tokens constant numeric := 9223372036854775807;
      entries integer;
    begin
      with recorded as (
        insert into usage_records (
          request_id, account_id, user_id, app_id, key_id, model_requested, model_served, channel_id, outcome, stream,
          attempts, prompt_tokens, completion_tokens, cached_tokens, cache_write_5m_tokens, cache_write_1h_tokens,
          usage_known, units, unit, task_id, charge_pico, price, parents, end_user, metadata, started_at, ended_at)
        select
          request_id, account_id, user_id, app_id, key_id, model_requested, model_served, channel_id, outcome, stream,
          attempts, prompt_tokens, completion_tokens, cached_tokens, cache_write_5m_tokens, cache_write_1h_tokens,
          usage_known, units, unit, task_id, charge_pico, price, parents, end_user, metadata, started_at, ended_at
        from json_to_recordset(settles) as x(
          request_id text, account_id text, user_id text, app_id text, key_id text, model_requested text,
          model_served text, channel_id text, outcome text, stream boolean, attempts integer, prompt_tokens bigint,
          completion_tokens bigint, cached_tokens bigint, cache_write_5m_tokens bigint, cache_write_1h_tokens bigint,
          usage_known boolean, units integer, unit text, task_id text, charge_pico numeric, price jsonb, parents text[],
          end_user text, metadata jsonb, started_at timestamptz, ended_at timestamptz)
        on conflict (request_id) do nothing
        returning request_id, account_id, charge_pico, ended_at
      )
      insert into ledger_entries (transfer_id, kind, account_id, book, amount_pico, request_id, posted_at)
      select 'late:' || r.request_id, 'settle', r.account_id, y.book, y.sign * r.charge_pico, r.request_id, r.ended_at
      from recorded r cross join (values ('credits', -1), ('revenue', 1)) as y(book, sign)
      on conflict (transfer_id, book) do nothing;

      get diagnostics entries = row_count;
      if entries <> 2 * json_array_length(settles) then
        raise exception 'a request was settled before' using errcode = 'unique_violation';
      end if;

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

/** Settlements of covered requests, which leave their block as it is. `post_covered` is for processes of the release before. */
export const settleDirectly = statements([postCovered]);
