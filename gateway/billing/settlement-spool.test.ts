import { closeSync, mkdtempSync, openSync, readdirSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { TestClock } from '../clock.ts';
import { sampleUsage } from '../testing/billing/sample-usage.ts';
import { silentLog } from '../testing/store/test-stores.ts';
import { createSettlementSpool, type SettlementSpool } from './settlement-spool.ts';
import { openSpoolFile, type SpoolFile } from './spool-file.ts';
import { UsageNotKept } from './usage-not-kept.ts';
import type { UsageRecord } from './usage-record.ts';

let dir: string;
let clock: TestClock;
let isOut: boolean;
/** Settled records by request id. A repeated settlement changes nothing. */
let settled: Map<string, UsageRecord>;
let asked: number;
const open: SettlementSpool[] = [];

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'gateway-spool-'));
  [clock, isOut, settled, asked] = [new TestClock(), false, new Map(), 0];
});
afterEach(async () => {
  for (const spool of open.splice(0)) await spool.close();
  rmSync(dir, { recursive: true });
});

const fileAt = (storeId = 'one', mostBytes = 100_000): Promise<SpoolFile> =>
  openSpoolFile({ dir, storeId, mostBytes });
async function start(file: SpoolFile): Promise<SettlementSpool> {
  const ledger = {
    settle: async (record: UsageRecord) => {
      asked += 1;
      if (isOut) throw new UsageNotKept(record, new Error('connect ECONNREFUSED'));
      if (record.outcome === 'refused') throw new UsageNotKept(record, asRow());
      settled.set(record.request_id, record);
    },
  };
  const spool = createSettlementSpool({ file, ledger, timer: clock, log: silentLog, onWaiting: () => {} });
  await spool.open();
  open.push(spool);
  return spool;
}
const usage = (id: string, more = {}): UsageRecord => sampleUsage(id, { charge_pico: 10n ** 20n, ...more });
const textsIn = (name: string): string =>
  readFileSync(join(dir, name, 'settlements.log'), 'utf8').split('\0', 1)[0] ?? '';

describe('a settlement while the database is unreachable', () => {
  it('waits on disk, and is made unchanged once the database is back', async () => {
    const spool = await start(await fileAt());
    isOut = true;
    const records = ['a', 'b', 'c'].map((id) => usage(id, { metadata: { team: 'π\n"' } }));
    await Promise.all(records.map((record) => spool.settle(record)));
    expect([settled.size, textsIn('one-0').split('\n').length]).toEqual([0, 4]);
    await clock.advance(5_000);
    expect(settled.size).toBe(0);
    isOut = false;
    await clock.advance(1_000);
    await vi.waitFor(() => expect([...settled.values()]).toEqual(records));
    await vi.waitFor(() => expect(textsIn('one-0')).toBe(''));
  });

  it('queries the database only to see whether it is back', async () => {
    const spool = await start(await fileAt());
    isOut = true;
    for (let n = 0; n < 50; n += 1) await spool.settle(usage(`r${n}`));
    // The clock runs on its own meanwhile.
    expect(asked).toBeLessThan(10);
  });

  it('is made by the next process after a crash, without a truncated line', async () => {
    const killed = await fileAt();
    isOut = true;
    const spool = await start(killed);
    await spool.settle(usage('left'));
    const cut = openSync(join(dir, 'one-0', 'settlements.log'), 'r+');
    writeSync(cut, textsIn('one-0').slice(0, 40), textsIn('one-0').length);
    closeSync(cut);
    open.pop();
    await killed.close();
    isOut = false;
    await start(await fileAt());
    expect([...settled.keys()]).toEqual(['left']);
  });

  it('fails when the spool is full, and loses no waiting record', async () => {
    const spool = await start(await fileAt('one', 1_500));
    isOut = true;
    const made = await Promise.allSettled(Array.from({ length: 9 }, (_, n) => spool.settle(usage(`r${n}`))));
    const kept = made.filter(({ status }) => status === 'fulfilled').length;
    expect(kept).toBeGreaterThan(0);
    expect(kept).toBeLessThan(9);
    for (const one of made) if (one.status === 'rejected') expect(one.reason).toBeInstanceOf(UsageNotKept);
    isOut = false;
    await clock.advance(1_000);
    await vi.waitFor(() => expect(settled.size).toBe(kept));
  });
});

it('the spool rejects a record that the database rejects as invalid', async () => {
  const spool = await start(await fileAt());
  await expect(spool.settle(usage('bad', { outcome: 'refused' }))).rejects.toThrow(UsageNotKept);
  expect(textsIn('one-0')).toBe('');
});

it('each process has its own spool file, and takes over abandoned files of the same database', async () => {
  isOut = true;
  const [first, second, foreign] = [await fileAt(), await fileAt(), await fileAt('two')];
  for (const [n, file] of [first, second, foreign].entries()) {
    const spool = await start(file);
    await spool.settle(usage(`of ${n}`));
  }
  expect(readdirSync(dir).toSorted()).toEqual(['one-0', 'one-1', 'two-0']);
  await second.close();
  await foreign.close();
  open.splice(1);
  isOut = false;
  const heir = await fileAt();
  expect(heir.left).toHaveLength(1);
  await start(heir);
  expect([...settled.keys()]).toEqual(['of 1']);
});

/** An error of the database about the row itself. */
function asRow(): Error {
  return Object.assign(new pg.DatabaseError('out of range', 1, 'error'), { code: '22003' });
}
