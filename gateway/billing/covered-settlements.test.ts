import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { useLedger } from '../testing/billing/ledger-bench.ts';
import { sampleUsage } from '../testing/billing/sample-usage.ts';
import { storeKinds } from '../testing/store/test-stores.ts';
import { type Command, holdCommand, postCommands, releaseCommand, settleCommand } from './post-commands.ts';

const at = Date.UTC(2026, 10, 22, 12);
const nextMonth = Date.UTC(2026, 11, 1);

describe.each(storeKinds)('settlements covered by blocks, on a store of kind $name', (kind) => {
  const harness = useLedger(kind);
  const post = (commands: readonly Command[]) => postCommands(harness.store.db, commands, 'gw_test');

  /**
   * Batches of charges for an account with two blocks. They include a repeated request, a charge above a block, and a charge
   * of zero.
   */
  async function batches(name: string): Promise<Command[][]> {
    await harness.account(name, { prepaid: false });
    for (const block of ['one', 'two'])
      await post([
        holdCommand(
          { requestId: `${name}-${block}`, accountId: name, amount: 100n, overshoots: false, atMs: at },
          true,
        ),
      ]);
    const ends = (id: string, charge_pico: bigint, ended_at_ms = at): Command =>
      settleCommand(sampleUsage(`${name}-${id}`, { account_id: name, charge_pico, ended_at_ms }), true);
    const first = [ends('a', 3n), ends('b', 5n), ends('a', 3n), ends('c', 0n)];
    const overMonths = [ends('d', 101n), ends('e', 7n), ends('f', 2n, nextMonth)];
    return [first, first, overMonths, [ends('g', 1n), ends('b', 5n)]];
  }

  /** All rows of an account, with its name replaced. */
  async function keptOf(name: string): Promise<unknown> {
    const { rows } = await sql<{ line: string }>`
      select concat_ws(' ', transfer_id, kind, book, amount_pico, request_id, posted_at) as line
      from ledger_entries where account_id = ${name}
      union all select concat_ws(' ', request_id, charge_pico, ended_at) from usage_records where account_id = ${name}
      union all select concat_ws(' ', request_id, amount_pico) from open_holds where account_id = ${name}
      union all select concat_ws(' ', posted_pico, held_pico) from account_balances where account_id = ${name}
      union all select concat_ws(' ', month, tokens) from token_usage where account_id = ${name}
      order by line`.execute(harness.store.db);
    return rows.map(({ line }) => line.replaceAll(name, 'x')).sort();
  }

  it('leave the same rows as in a batch with other requests, and leave the blocks unchanged', async () => {
    for (const batch of await batches('alone')) await post(batch);
    for (const batch of await batches('mixed')) await post([...batch, releaseCommand('nobody', at)]);
    const kept = await keptOf('alone');
    expect(kept).toEqual(await keptOf('mixed'));
    expect(kept).toEqual(expect.arrayContaining(['x-one 100', 'x-two 100', '-119 200']));
  });
});
