import { sql } from 'kysely';
import type { Store } from '../../store/store.ts';

/** The account, model, user and job of the rare records, which are spread over all records. */
export const rare = { account: 'rare', model: 'gamma-3-flash', user: 'user-8', job: 'job-8' };
/** The account that most records have. */
export const common = 'acc';

const inOnePart = 50_000;
/** One record in this many is rare. */
const rareEach = 20_011;

/** Usage records of the past year, with the entries of their charges, as a gateway would have written them. */
export async function fillRecords({ db }: Pick<Store, 'db'>, records: number): Promise<void> {
  for (let first = 1; first <= records; first += inOnePart) {
    const last = Math.min(records, first + inOnePart - 1);
    await sql`
      insert into usage_records (request_id, account_id, user_id, app_id, key_id, model_requested, model_served, channel_id,
        outcome, stream, attempts, prompt_tokens, completion_tokens, cached_tokens, usage_known, charge_pico, end_user,
        metadata, started_at, ended_at)
      select 'req_old' || n,
        case when n % ${rareEach} = 0 then ${rare.account} when n % 2 = 0 then ${common} else 'acct-' || n % 97 end,
        'usr', 'app', 'key-1', model, model, 'c', 'success', n % 3 = 0, 1, 800, 200, 100, true, 91875000,
        case when n % 3 = 0 then 'user-' || n % 10000 end,
        case when n % 2 = 0 then jsonb_build_object('team', 'team-' || n % 5, 'job', 'job-' || n % 50000) end,
        at, at + interval '1 second'
      from generate_series(${first}::integer, ${last}::integer) as n,
        lateral (select case when n % ${rareEach} = 1 then ${rare.model} when n % 3 = 0 then 'alpha-5-2' else 'delta-3' end) as m(model),
        lateral (select now() - interval '365 days' * (1 - n::float8 / ${records}::float8)) as t(at)`.execute(
      db,
    );
    await sql`
      insert into ledger_entries (transfer_id, kind, account_id, book, amount_pico, request_id, posted_at)
      select 'late:' || request_id, 'settle', account_id, book, amount, request_id, ended_at
      from generate_series(${first}::integer, ${last}::integer) as n join usage_records on request_id = 'req_old' || n
        cross join lateral (values ('credits', -charge_pico), ('revenue', charge_pico)) as y(book, amount)
      order by n`.execute(db);
  }
  await sql`
    insert into account_balances (account_id, posted_pico)
    select account_id, sum(amount_pico) from ledger_entries where book = 'credits' group by account_id
    on conflict (account_id) do update set posted_pico = account_balances.posted_pico + excluded.posted_pico`.execute(
    db,
  );
  await sql`analyze`.execute(db);
}
