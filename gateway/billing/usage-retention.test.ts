import { type RawBuilder, sql } from 'kysely';
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
import { UnchargedCounts } from './uncharged.ts';
import { createUsageReader } from './usage-reader.ts';
import type { UsageRecord } from './usage-record.ts';
import { createUsageRetention, type UsageRetention } from './usage-retention.ts';

const dayMs = 24 * 3_600_000;
const days = 40;
/** In the middle of a month, so that a day before is the same month. */
const nowMs = Date.parse('2026-11-15T12:00:00Z');
const forgottenMs = nowMs - days * dayMs;

describe.each(storeKinds)('the retention of usage records on a store of kind $name', (kind) => {
  const bench = useLedger(kind);
  const used = (requestId: string, endedAtMs: number, changes: Partial<UsageRecord> = {}): Promise<void> =>
    bench.ledger.settle(sampleUsage(requestId, { ended_at_ms: endedAtMs, ...changes }));
  const left = async (accountId: string): Promise<string[]> =>
    (await createUsageReader(bench.store.db).search({ accountId }, 2_000)).map((one) => one.request_id);

  /** Retention at this time; collects the size of each batch and each log line. */
  function retention(atMs = nowMs): UsageRetention & { parts: number[]; lines: unknown[] } {
    const parts: number[] = [];
    const lines: unknown[] = [];
    const made = createUsageRetention({
      ...{ store: bench.store, days, clock: { now: () => atMs }, timer: { schedule: () => never } },
      onForgotten: (records) => void parts.push(records),
      log: { info: (line: unknown) => void lines.push(line), warn: silentLog.warn },
    });
    return { ...made, parts, lines };
  }

  it('forgets records that ended before the limit, to the millisecond, and keeps younger ones', async () => {
    const of = { account_id: 'edge' };
    await used('older', forgottenMs - 1, of);
    await used('as old', forgottenMs, of);
    await used('of today', nowMs, of);
    const { forgetOld, parts, lines } = retention();
    await forgetOld();
    expect(await left('edge')).toEqual(['of today', 'as old']);
    expect(parts).toEqual([1]);
    expect(lines).toEqual([{ records: 1, before: new Date(forgottenMs) }]);
    await forgetOld();
    expect(lines.length).toBe(1);
  });

  it('forgets a backlog in batches, and counts each record once when two processes run', async () => {
    const many = Array.from({ length: 1_100 }, (_, n) => used(`many-${n}`, forgottenMs - 1 - (n % 7)));
    await Promise.all([...many, used('kept', nowMs)]);
    const [one, other] = [retention(), retention()];
    await Promise.all([one.forgetOld(), other.forgetOld()]);
    // Either may have left the rest to the other.
    expect(await left('acct')).toEqual(['kept']);
    const parts = [...one.parts, ...other.parts];
    expect(parts.reduce((sum, part) => sum + part, 0)).toBe(1_100);
    expect(Math.max(...parts)).toBeLessThan(300);
  });

  it('leaves balances, quotas and ledger entries unchanged', async () => {
    await bench.account('books', { prepaid: true, monthlyTokens: 100n });
    const grant = { accountId: 'books', id: 'g', amount: 1_000n, note: null, atMs: forgottenMs };
    await bench.ledger.grant(grant);
    const tokens = { account_id: 'books', prompt_tokens: 60n, completion_tokens: 0n, charge_pico: 30n };
    await used('long ago', forgottenMs - 1, tokens);
    await used('yesterday', nowMs - dayMs, tokens);
    const held = { requestId: 'open', accountId: 'books', amount: 5n, overshoots: false };
    await bench.ledger.hold({ ...held, atMs: forgottenMs - dayMs });
    const read = async () => ({
      totals: await bench.totalsOf('books', nowMs),
      thatMonth: await bench.totalsOf('books', forgottenMs - 1),
      entries: [...(await bench.entriesOf('long ago')), ...(await bench.entriesOf('yesterday'))],
      holds: await bench.openHolds(),
    });
    const before = await read();
    expect(before.totals).toEqual({ posted: 940n, held: 5n, tokens: 60n });
    await retention().forgetOld();
    expect(await left('books')).toEqual(['yesterday']);
    expect(await read()).toEqual(before);
    // A year later no record is left, but the balance and the used tokens still are.
    await retention(nowMs + 365 * dayMs).forgetOld();
    expect(await left('books')).toEqual([]);
    expect(await read()).toEqual(before);
    await used('more', nowMs, tokens);
    const last = { ...held, requestId: 'last', atMs: nowMs };
    expect(await bench.ledger.hold(last)).toBe('no_quota');
    await bench.ledger.release('open', nowMs);
    expect(await bench.totalsOf('books', nowMs)).toEqual({ posted: 910n, held: 0n, tokens: 120n });
  });

  it('keeps the record of an unfinished task, so that the task is charged once', async () => {
    const charge = { account_id: 'acc', charge_pico: 7n };
    await used('req_task', forgottenMs - 2, charge);
    await used('req_other', forgottenMs - 1, charge);
    const tasks = createTaskStore(bench.store.db, { own: 'gw_test' }, noEvents, 1_000_000);
    await tasks.add(newTask('task', forgottenMs - dayMs));
    await tasks.close();
    await retention().forgetOld();
    expect(await left('acc')).toEqual(['req_task']);
    await used('req_task', nowMs, charge);
    expect((await bench.totalsOf('acc', nowMs)).posted).toBe(-14n);
    await sql`update tasks set status = 'FAILED', ending = '{}', ended_at = now(), due_at = null`.execute(
      bench.store.db,
    );
    await retention().forgetOld();
    expect(await left('acc')).toEqual([]);
  });

  it('pages on from a cursor whose record is gone', async () => {
    const of = { account_id: 'pages' };
    for (const [n, endedAtMs] of [forgottenMs - 1, forgottenMs + 1, forgottenMs + 2].entries())
      await used(`page-${n}`, endedAtMs, of);
    await retention().forgetOld();
    const reader = createUsageReader(bench.store.db);
    const behind = (ms: number) =>
      reader.search({ accountId: 'pages' }, 9, { ended_at_ms: ms, request_id: 'page-0' });
    expect((await behind(forgottenMs + 2)).map((one) => one.request_id)).toEqual(['page-1']);
    expect(await behind(forgottenMs - 1)).toEqual([]);
    expect(await reader.search({ requestId: 'page-0' }, 9)).toEqual([]);
  });

  it('leaves old records to another process that is already forgetting them', async () => {
    await used('theirs', forgottenMs - 1, { account_id: 'locked' });
    const { forgetOld, lines } = retention();
    await bench.store.db.transaction().execute(async (trx) => {
      await sql`select pg_advisory_xact_lock(hashtextextended('gatecheck usage retention', 0))`.execute(trx);
      // The embedded database has one session, which its own lock does not exclude.
      if (kind.name === 'server') await forgetOld();
    });
    expect(await left('locked')).toEqual(['theirs']);
    await forgetOld();
    expect(await left('locked')).toEqual([]);
    expect(lines.length).toBe(1);
  });

  // A server has autovacuum for it.
  if (kind.name === 'embedded')
    it('reuses the freed space for new records', async () => {
      const of = { account_id: 'room' };
      const pages = async (): Promise<number> => {
        const { rows } = await sql<{
          bytes: bigint;
        }>`select pg_relation_size('usage_records') as bytes`.execute(bench.store.db);
        return Number(rows[0]?.bytes) / 8_192;
      };
      const some = (name: string, endedAtMs: number) =>
        Promise.all(Array.from({ length: 200 }, (_, n) => used(`${name}-${n}`, endedAtMs, of)));
      const before = await pages();
      await some('room-1', forgottenMs - 1);
      const full = await pages();
      expect(full).toBeGreaterThan(before);
      await retention().forgetOld();
      await some('room-2', nowMs);
      expect(await pages()).toBeLessThanOrEqual(full);
    });

  it('runs in a gateway that configures it, and counts the forgotten records', async () => {
    await used('of a gateway', forgottenMs - 1, { account_id: 'watched' });
    const run = async (usage: object): Promise<string> => {
      const registry = new Registry();
      const watches = await startWatches({
        config: testConfig('http://127.0.0.1:1', { usage }),
        ...{ ownUrl: 'http://127.0.0.1:2', store: bench.store, digestOf: (text) => text },
        uncharged: new UnchargedCounts(),
        ...{ clock: { now: () => nowMs }, timer: new TestClock(), log: silentLog },
        metrics: createMetrics(registry),
      });
      await watches.stop();
      return registry.metrics();
    };
    expect(await run({})).toContain('gatecheck_usage_records_forgotten_total 0\n');
    expect(await left('watched')).toEqual(['of a gateway']);
    expect(await run({ retention_days: days })).toContain('gatecheck_usage_records_forgotten_total 1\n');
    expect(await left('watched')).toEqual([]);
  });

  it('stops between two batches', async () => {
    await used('after the end', forgottenMs - 1, { account_id: 'stopped' });
    const { forgetOld, stop, lines } = retention();
    await stop();
    await forgetOld();
    expect([await left('stopped'), lines]).toEqual([['after the end'], []]);
  });

  it.each([
    ['deletes younger records', sql`delete from usage_records where request_id = 'young'`],
    ['deletes some that are younger', sql`delete from usage_records`],
    ['changes old ones', sql`update usage_records set charge_pico = 0 where request_id = 'old'`],
    ['truncates', sql`truncate usage_records`],
    ['deletes entries', sql`delete from ledger_entries`],
  ])('a forgetting transaction never %s', async (_what, statement) => {
    await used('old', forgottenMs - 1);
    await used('young', forgottenMs);
    await expect(forgetting(statement)).rejects.toThrow('append-only');
    expect(await left('acct')).toEqual(expect.arrayContaining(['young', 'old']));
  });

  it('no later transaction deletes records', async () => {
    await used('old enough', forgottenMs - 1);
    await forgetting(sql`select 1`);
    const statement = sql`delete from usage_records where request_id = 'old enough'`;
    const each = Array.from({ length: 10 }, () => statement.execute(bench.store.db));
    for (const one of await Promise.allSettled(each))
      expect(one).toMatchObject({ status: 'rejected', reason: { message: /append-only/ } });
  });

  function forgetting(statement: RawBuilder<unknown>): Promise<unknown> {
    const before = new Date(forgottenMs).toISOString();
    return bench.store.db.transaction().execute(async (trx) => {
      await sql`select set_config('gatecheck.forget_usage_before', ${before}, true)`.execute(trx);
      return statement.execute(trx);
    });
  }
});

/** A timer that no test here uses. */
const never = { cancel: () => {} };
