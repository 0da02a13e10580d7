import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { useLedger } from '../testing/billing/ledger-bench.ts';
import { sampleUsage } from '../testing/billing/sample-usage.ts';
import { storeKinds } from '../testing/store/test-stores.ts';
import type { Grant } from './ledger.ts';
import { UsageNotKept } from './usage-not-kept.ts';
import type { UsageRecord } from './usage-record.ts';

const at = Date.UTC(2026, 10, 22, 12);

describe.each(storeKinds)('the ledger on a store of kind $name', (kind) => {
  const harness = useLedger(kind);

  async function hold(requestId: string, accountId: string, amount = 10n): Promise<string> {
    return harness.ledger.hold({ requestId, accountId, amount, overshoots: true, atMs: at });
  }

  function used(requestId: string, accountId: string, changes: Partial<UsageRecord> = {}): UsageRecord {
    return sampleUsage(requestId, { account_id: accountId, charge_pico: 3n, ended_at_ms: at, ...changes });
  }

  function grant(accountId: string, changes: Partial<Grant> = {}): Grant {
    return { accountId, id: 'first', amount: 100n, note: null, atMs: at, ...changes };
  }

  const held = ['hold:r hold credits -10', 'hold:r hold held 10'];
  const settled = ['end:r settle credits 7', 'end:r settle held -10', 'end:r settle revenue 3'];
  const voidEntries = ['end:r void credits 10', 'end:r void held -10'];

  /** The entries of a request, with its id replaced by `r`. */
  async function linesOf(requestId: string): Promise<string[]> {
    return (await harness.entriesOf(requestId)).map((line) => line.replace(`:${requestId} `, ':r '));
  }

  it('holds an amount without posting it, and charges the actual cost when the request ends', async () => {
    expect(await hold('one', 'a1')).toBe('held');
    expect(await linesOf('one')).toEqual(held);
    expect(await harness.totalsOf('a1', at)).toEqual({ posted: 0n, held: 10n, tokens: 0n });
    await harness.ledger.settle(used('one', 'a1'));
    expect(await linesOf('one')).toEqual([...held, ...settled]);
    expect(await harness.totalsOf('a1', at)).toEqual({ posted: -3n, held: 0n, tokens: 46n });
    expect(await harness.openHolds()).toEqual([]);
  });

  it.each([
    ['released', (id: string) => harness.ledger.release(id, at)],
    [
      'settled otherwise',
      (id: string) => harness.ledger.settle(used(id, 'settled otherwise', { charge_pico: 99n })),
    ],
  ] as const)('charges a request once that is settled and, at the same time, %s', async (how, other) => {
    const requestId = `once ${how}`;
    await hold(requestId, how);
    await Promise.all([harness.ledger.settle(used(requestId, how)), other(requestId)]);
    expect(await linesOf(requestId)).toEqual([...held, ...settled]);
    expect(await harness.totalsOf(how, at)).toEqual({ posted: -3n, held: 0n, tokens: 46n });
    expect(await harness.openHolds()).toEqual([]);
  });

  it('writes nothing when an unknown request is released', async () => {
    await harness.ledger.release('never held', at);
    expect(await linesOf('never held')).toEqual([]);
  });

  it('corrects a charge with a new entry, once per id over all accounts', async () => {
    const { ledger } = harness;
    await hold('wrong', 'a8');
    await ledger.settle(used('wrong', 'a8'));
    const correction = {
      ...grant('a8'),
      id: 'c1',
      amount: 2n,
      requestId: 'wrong',
      note: 'cache read in full',
    };
    expect(await ledger.correct(correction)).toBe('posted');
    expect(await ledger.correct(correction)).toBe('known');
    expect(await ledger.correct({ ...correction, amount: -2n })).toBe('different');
    expect(await ledger.correct({ ...correction, accountId: 'a9' })).toBe('different');
    expect(await ledger.correct({ ...correction, id: 'c2', amount: -1n, requestId: null })).toBe('posted');
    expect((await linesOf('wrong')).slice(-2)).toEqual([
      'correction:c1 correction credits 2',
      'correction:c1 correction revenue -2',
    ]);
    expect((await harness.totalsOf('a8', at)).posted).toBe(-2n);
  });

  it('names the lost usage when a record is rejected, and releases its hold', async () => {
    await hold('refused', 'a10');
    await expect(harness.ledger.settle(used('refused', 'a10', { prompt_tokens: -1n }))).rejects.toThrow(
      UsageNotKept,
    );
    await harness.ledger.close();
    expect(await linesOf('refused')).toEqual([...held, ...voidEntries]);
  });

  it.each([
    ['changed', sql`update ledger_entries set amount_pico = 0`],
    ['deleted', sql`delete from ledger_entries`],
    ['truncated', sql`truncate ledger_entries`],
    [
      'changed by a conflicting insert',
      sql`
      insert into ledger_entries (transfer_id, kind, account_id, book, amount_pico, posted_at)
      select transfer_id, kind, account_id, book, amount_pico, posted_at from ledger_entries
      on conflict (transfer_id, book) do update set amount_pico = 0`,
    ],
  ])('writes entries that can never be %s', async (_how, statement) => {
    const count = () => sql`select count(*), sum(amount_pico) from ledger_entries`.execute(harness.store.db);
    const before = (await count()).rows;
    await expect(statement.execute(harness.store.db)).rejects.toThrow('ledger_entries is append-only');
    expect((await count()).rows).toEqual(before);
  });
});
