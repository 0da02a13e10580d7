import { sql } from 'kysely';
import { Registry } from 'prom-client';
import { describe, expect, it } from 'vitest';
import { TestClock } from '../clock.ts';
import { createMetrics } from '../metrics/metrics.ts';
import { createTaskStore } from '../tasks/task-store.ts';
import { useLedger } from '../testing/billing/ledger-bench.ts';
import { sampleUsage } from '../testing/billing/sample-usage.ts';
import { silentLog, storeKinds } from '../testing/store/test-stores.ts';
import { newTask, noEvents } from '../testing/tasks/sample-tasks.ts';
import { testConfig } from '../testing/test-gateway.ts';
import { startWatches } from '../watches.ts';
import { createUnchargedRetention, UnchargedCounts, type UnchargedRetention } from './uncharged.ts';
import { createUsageReader } from './usage-reader.ts';
import type { UsageRecord } from './usage-record.ts';

const atMs = Date.parse('2026-11-15T12:00:00Z');
const failed = { outcome: 'upstream_error', prompt_tokens: 0n, completion_tokens: 0n, usage_known: false };

it('takes an account that is new, and later one with as many requests as were asked for', () => {
  const counts = new UnchargedCounts();
  counts.note('a');
  expect([counts.take(3), counts.take(3)]).toEqual([['a'], []]);
  for (const account of ['a', 'b', 'a']) counts.note(account);
  expect(counts.take(3)).toEqual(['b']);
  counts.note('a');
  expect(counts.take(3)).toEqual(['a']);
});

describe.each(storeKinds)('requests without a charge on a store of kind $name', (kind) => {
  const bench = useLedger(kind);
  const ends = (requestId: string, accountId: string, changes: Partial<UsageRecord> = {}): Promise<void> =>
    bench.ledger.settle(sampleUsage(requestId, { ...failed, account_id: accountId, ...changes }));
  const holds = (requestId: string, accountId: string) =>
    bench.ledger.hold({ requestId, accountId, amount: 5n, overshoots: false, atMs });
  const left = async (accountId: string): Promise<string[]> =>
    (await createUsageReader(bench.store.db).search({ accountId }, 2_000))
      .map((one) => one.request_id)
      .sort();
  const entries = async (accountId: string): Promise<number> => {
    const { rows } = await sql<{ count: bigint }>`
      select count(*) from ledger_entries where account_id = ${accountId}`.execute(bench.store.db);
    return Number(rows[0]?.count);
  };

  function retention(
    account: string,
    kept: number,
  ): UnchargedRetention & { parts: number[]; lines: unknown[] } {
    const [parts, lines, counts]: [number[], unknown[], UnchargedCounts] = [[], [], new UnchargedCounts()];
    counts.note(account);
    const made = createUnchargedRetention({
      ...{ store: bench.store, counts, kept, timer: { schedule: () => ({ cancel: () => {} }) } },
      onForgotten: (records) => void parts.push(records),
      log: { info: (line: unknown) => void lines.push(line), warn: silentLog.warn },
    });
    return { ...made, parts, lines };
  }

  it('are forgotten beyond the bound, oldest first, whether they had a hold of their own or not', async () => {
    await bench.account('loop', { prepaid: true });
    await bench.ledger.grant({ accountId: 'loop', id: 'g', amount: 1_000n, note: null, atMs });
    for (const n of [1, 2, 3, 4, 5]) {
      if (n % 2 === 0) await holds(`loop-${n}`, 'loop');
      await ends(`loop-${n}`, 'loop');
    }
    await holds('loop-void', 'loop');
    await bench.ledger.release('loop-void', atMs);
    await ends('loop-6', 'loop');
    const before = await bench.totalsOf('loop', atMs);
    const { forgetOld, parts, lines } = retention('loop', 3);
    await forgetOld();
    expect(await left('loop')).toEqual(['loop-5', 'loop-6']);
    expect([await bench.entriesOf('loop-4'), await bench.entriesOf('loop-3')]).toEqual([[], []]);
    expect((await bench.entriesOf('loop-void')).length).toBe(4);
    expect([parts, lines]).toEqual([[4], [{ account: 'loop', requests: 4 }]]);
    expect(await bench.totalsOf('loop', atMs)).toEqual(before);
    await forgetOld();
    expect(lines.length).toBe(1);
  });

  it('are forgotten in batches, and those that were charged, open or of another account never', async () => {
    await ends('paid', 'mixed', { charge_pico: 7n, outcome: 'client_gone' });
    await ends('free', 'mixed', { outcome: 'success' });
    await holds('open', 'mixed');
    await ends('theirs', 'another');
    await Promise.all(Array.from({ length: 600 }, (_, n) => ends(`mixed-${n}`, 'mixed')));
    const { forgetOld, parts } = retention('mixed', 0);
    await forgetOld();
    expect(await left('mixed')).toEqual(['free', 'paid']);
    expect(await left('another')).toEqual(['theirs']);
    expect(await bench.openHolds()).toContain('open');
    expect(await entries('mixed')).toBe(4);
    expect(Math.max(...parts)).toBe(250);
    await bench.ledger.release('open', atMs);
    expect(await bench.totalsOf('mixed', atMs)).toMatchObject({ posted: -7n, held: 0n });
  });

  it('are kept while they belong to an unfinished task, so that it is charged once', async () => {
    await ends('req_task', 'acc');
    const tasks = createTaskStore(bench.store.db, { own: 'gw_test' }, noEvents, 1_000_000);
    await tasks.add(newTask('task', atMs));
    await tasks.close();
    await retention('acc', 0).forgetOld();
    expect(await left('acc')).toEqual(['req_task']);
    await ends('req_task', 'acc', { charge_pico: 7n });
    expect((await bench.totalsOf('acc', atMs)).posted).toBe(0n);
  });

  it('are counted by the ledger at their own hold, or at their end where a block covers them', async () => {
    const { uncharged } = bench.ledger;
    await bench.account('counted');
    await holds('counted', 'counted');
    await bench.ledger.release('counted', atMs);
    expect(uncharged.take(1)).toContain('counted');
    const call = (n: number) => ({
      requestId: `c-${n}`,
      accountId: 'counted',
      amount: 1n,
      overshoots: true,
      atMs,
    });
    let n = 0;
    const isCovered = async (): Promise<boolean> => {
      const from = n + 1;
      n += 80;
      const held = Array.from({ length: 80 }, (_, i) => bench.ledger.hold(call(from + i)));
      await Promise.all(held);
      return held.at(-1) === 'held';
    };
    await expect.poll(isCovered, { timeout: 10_000 }).toBe(true);
    uncharged.take(0);
    await ends(`c-${n - 1}`, 'counted', { charge_pico: 1n });
    expect(uncharged.take(1)).toEqual([]);
    await ends(`c-${n}`, 'counted');
    expect(uncharged.take(1)).toEqual(['counted']);
  });

  it('are forgotten in a gateway beyond the configured number', async () => {
    await Promise.all(Array.from({ length: 1_002 }, (_, n) => ends(`watched-${n}`, 'watched')));
    const registry = new Registry();
    const uncharged = new UnchargedCounts();
    uncharged.note('watched');
    const watches = await startWatches({
      config: testConfig('http://127.0.0.1:1', { usage: { uncharged_calls: 1_000 } }),
      ...{ ownUrl: 'http://127.0.0.1:2', store: bench.store, digestOf: (text) => text, uncharged },
      ...{ clock: { now: () => atMs }, timer: new TestClock(), log: silentLog },
      metrics: createMetrics(registry),
    });
    const forgotten = 'gatecheck_usage_records_forgotten_total 2\n';
    await expect.poll(async () => (await registry.metrics()).includes(forgotten)).toBe(true);
    await watches.stop();
    expect((await left('watched')).length).toBe(1_000);
  });

  it.each([
    ['charges', sql`delete from ledger_entries where transfer_id = 'late:guarded'`],
    [
      'half of a charge',
      sql`delete from ledger_entries where transfer_id = 'late:guarded' and book = 'credits'`,
    ],
    ['a grant with its other side', sql`delete from ledger_entries where kind = 'grant'`],
    ['a hold without its end', sql`delete from ledger_entries where transfer_id = 'hold:guarded-2'`],
    ['records that were charged', sql`delete from usage_records where request_id = 'guarded'`],
  ])('never take with them %s', async (_what, statement) => {
    await bench.ledger.grant({ accountId: 'guarded', id: 'g', amount: 1_000n, note: null, atMs });
    await ends('guarded', 'guarded', { charge_pico: 7n, outcome: 'success' });
    await holds('guarded-2', 'guarded');
    await ends('guarded-2', 'guarded');
    await expect(statement.execute(bench.store.db)).rejects.toThrow('append-only');
  });
});
