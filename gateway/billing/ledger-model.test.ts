import fc from 'fast-check';
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { AccountModel, anyStep, type Step } from '../testing/billing/account-model.ts';
import { useLedger } from '../testing/billing/ledger-bench.ts';
import { sized } from '../testing/sized.ts';
import { storeKinds } from '../testing/store/test-stores.ts';
import { monthOf } from './month.ts';

const runCount = sized(250, 1_000);
const steps = 50;
const runSeed = 20_261_122;
const start = Date.UTC(2026, 10, 22);
/** Long enough for the steps to span three ends of months. */
const stepMs = 40 * 3600 * 1000;

/** Each run is one account. All runs take a step at the same time, so each batch covers many accounts. */
const runs: Step[][] = fc.sample(fc.array(anyStep, { minLength: steps, maxLength: steps }), {
  seed: runSeed,
  numRuns: runCount,
});

describe.each(storeKinds)('the ledger on a store of kind $name', (kind) => {
  const harness = useLedger(kind);
  const models = runs.map((_, n) => new AccountModel(`m${String(n).padStart(4, '0')}`));

  async function setLimits(): Promise<void> {
    const rows = models.map(({ id, prepaid, overdraft, monthlyTokens }) => ({
      id,
      prepaid,
      overdraft: String(overdraft),
      tokens: monthlyTokens?.toString() ?? null,
    }));
    await sql`
      insert into accounts as a (id, prepaid, overdraft_pico, monthly_tokens)
      select id, prepaid, overdraft, tokens
      from json_to_recordset(${JSON.stringify(rows)}::json) as x(
        id text, prepaid boolean, overdraft numeric, tokens bigint)
      on conflict (id) do update set
        prepaid = excluded.prepaid, overdraft_pico = excluded.overdraft_pico, monthly_tokens = excluded.monthly_tokens
      where (a.prepaid, a.overdraft_pico, a.monthly_tokens)
        is distinct from (excluded.prepaid, excluded.overdraft_pico, excluded.monthly_tokens)`.execute(
      harness.store.db,
    );
  }

  /** The stored totals, one line per account. */
  async function keptTotals(atMs: number): Promise<string[]> {
    const { rows } = await sql<{ line: string }>`
      select concat_ws(' ', a.id, coalesce(posted_pico, 0), coalesce(held_pico, 0), coalesce(tokens, 0)) as line
      from accounts a
        left join account_balances b on b.account_id = a.id
        left join token_usage t on t.account_id = a.id and t.month = ${monthOf(atMs)}
      order by a.id`.execute(harness.store.db);
    return rows.map(({ line }) => line);
  }

  async function sumOfEntries(): Promise<unknown> {
    return (
      await sql`select coalesce(sum(amount_pico), 0) as sum from ledger_entries`.execute(harness.store.db)
    ).rows;
  }

  it(`does what its rules say in ${runCount} runs of ${steps} commands, and its entries add up to zero after each`, {
    timeout: 120_000,
  }, async () => {
    for (let step = 0; step < steps; step += 1) {
      const atMs = start + step * stepMs;
      const moves = models.map((model, n) => model.move(stepOf(n, step), atMs));
      await setLimits();
      const answers = await Promise.all(moves.map((move) => move?.ask(harness.ledger)));
      expect(answers, `answers to step ${step}`).toEqual(moves.map((move) => move?.expected));
      const totals = models.map((model) => {
        const { posted, held, tokens } = model.totals(atMs);
        return `${model.id} ${posted} ${held} ${tokens}`;
      });
      expect(await keptTotals(atMs), `totals after step ${step}`).toEqual(totals);
      expect(await sumOfEntries()).toEqual([{ sum: '0' }]);
    }
    await expectBooksInOrder();
  });

  /** Checks that all other tables agree with the entries. */
  async function expectBooksInOrder(): Promise<void> {
    const { rows } = await sql`
      select 'transfer' as what, transfer_id as of from ledger_entries group by transfer_id having sum(amount_pico) <> 0
      union all
      select 'balance', b.account_id from account_balances b join (
        select account_id, sum(amount_pico) filter (where book in ('credits', 'held')) as posted,
          sum(amount_pico) filter (where book = 'held') as held
        from ledger_entries group by account_id
      ) e on e.account_id = b.account_id
      where (b.posted_pico, b.held_pico) is distinct from (e.posted, coalesce(e.held, 0))
      union all
      select 'revenue', account_id from (
        select account_id, sum(amount_pico) as amount from ledger_entries
        where book = 'revenue' and kind = 'settle' group by account_id
        union all
        select account_id, -sum(charge_pico) from usage_records group by account_id
      ) x group by account_id having sum(amount) <> 0
      union all
      select 'open hold', account_id from (
        select account_id, amount_pico from account_balances cross join lateral (values (held_pico)) as v(amount_pico)
        union all
        select account_id, -amount_pico from open_holds
      ) x group by account_id having sum(amount_pico) <> 0`.execute(harness.store.db);
    expect(rows).toEqual([]);
  }
});

function stepOf(run: number, step: number): Step {
  const one = runs[run]?.[step];
  if (one === undefined) throw new Error(`run ${run} has no step ${step}`);
  return one;
}
