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

  /** What a request left behind, its id taken for `r`. */
  async function linesOf(requestId: string): Promise<string[]> {
    return (await harness.entriesOf(requestId)).map((line) => line.replace(`:${requestId} `, ':r '));
  }

  it('holds an amount, which stays posted, and charges what was used when the request ends', async () => {
    expect(await hold('one', 'a1')).toBe('held');
    expect(await linesOf('one')).toEqual(held);
    expect(await harness.totalsOf('a1', at)).toEqual({ posted: 0n, held: 10n, tokens: 0n });
    await harness.ledger.settle(used('one', 'a1'));
    expect(await linesOf('one')).toEqual([...held, ...settled]);
    expect(await harness.totalsOf('a1', at)).toEqual({ posted: -3n, held: 0n, tokens: 46n });
    expect(await harness.openHolds()).toEqual([]);
  });

  it('charges more than was held, and nothing, by the same entries', async () => {
    await Promise.all([hold('dear', 'a2'), hold('free', 'a2')]);
    await Promise.all([
      harness.ledger.settle(used('dear', 'a2', { charge_pico: 25n })),
      harness.ledger.settle(used('free', 'a2', { charge_pico: 0n })),
    ]);
    const ends = async (id: string) =>
      (await linesOf(id)).slice(2).map((line) => line.replace('end:r settle ', ''));
    expect(await ends('dear')).toEqual(['credits -15', 'held -10', 'revenue 25']);
    expect(await ends('free')).toEqual(['credits 10', 'held -10', 'revenue 0']);
    expect((await harness.totalsOf('a2', at)).posted).toBe(-25n);
  });

  it('gives back what a request held that is released, and keeps no usage of it', async () => {
    await hold('left', 'a3');
    await harness.ledger.release('left', at);
    expect(await linesOf('left')).toEqual([...held, ...voidEntries]);
    expect(await harness.totalsOf('a3', at)).toEqual({ posted: 0n, held: 0n, tokens: 0n });
    const rows = await harness.store.db.selectFrom('usage_records').where('account_id', '=', 'a3').execute();
    expect(rows).toEqual([]);
  });

  it.each([
    ['released after it was settled', ['settle', 'release']],
    ['settled and released at once', ['settle+release']],
    ['settled twice', ['settle', 'settle otherwise']],
    ['settled twice at once', ['settle+settle otherwise']],
    ['held again before it is settled', ['hold', 'settle']],
    ['held again after it was settled', ['settle', 'hold']],
  ])('charges a request once that is %s', async (how, steps) => {
    const requestId = `once ${how}`;
    await hold(requestId, how);
    const acts: Record<string, () => Promise<unknown>> = {
      settle: () => harness.ledger.settle(used(requestId, how)),
      'settle otherwise': () =>
        harness.ledger.settle(used(requestId, how, { charge_pico: 99n, prompt_tokens: 1n })),
      release: () => harness.ledger.release(requestId, at),
      hold: () => hold(requestId, how, 99n),
    };
    for (const step of steps) await Promise.all(step.split('+').map((act) => acts[act]?.()));
    expect(await linesOf(requestId)).toEqual([...held, ...settled]);
    expect(await harness.totalsOf(how, at)).toEqual({ posted: -3n, held: 0n, tokens: 46n });
    expect(await harness.openHolds()).toEqual([]);
  });

  it('gives a hold back once', async () => {
    await hold('back', 'a4');
    await Promise.all([harness.ledger.release('back', at), harness.ledger.release('back', at)]);
    await harness.ledger.release('back', at);
    expect(await linesOf('back')).toEqual([...held, ...voidEntries]);
  });

  it('charges a request all the same whose hold was given back before its end', async () => {
    await hold('late', 'a5');
    await harness.ledger.release('late', at);
    await harness.ledger.settle(used('late', 'a5'));
    await harness.ledger.settle(used('late', 'a5'));
    expect(await linesOf('late')).toEqual([
      ...held,
      ...voidEntries,
      'late:r settle credits -3',
      'late:r settle revenue 3',
    ]);
    expect(await harness.totalsOf('a5', at)).toEqual({ posted: -3n, held: 0n, tokens: 46n });
  });

  it('releases a request that it does not know without a trace', async () => {
    await harness.ledger.release('never held', at);
    expect(await linesOf('never held')).toEqual([]);
  });

  it('makes a grant once by its id, for each account by itself', async () => {
    const { ledger } = harness;
    expect(await Promise.all([ledger.grant(grant('a6')), ledger.grant(grant('a6'))])).toEqual([
      'posted',
      'known',
    ]);
    expect(await ledger.grant(grant('a6', { amount: 101n }))).toBe('different');
    expect(await ledger.grant(grant('a6', { note: 'again', atMs: at + 1 }))).toBe('known');
    expect(await ledger.grant(grant('a7', { amount: 5n }))).toBe('posted');
    expect(await ledger.grant(grant('a6', { id: 'second' }))).toBe('posted');
    expect((await harness.totalsOf('a6', at)).posted).toBe(200n);
    expect((await harness.totalsOf('a7', at)).posted).toBe(5n);
  });

  it('corrects a charge by an entry of its own, once by an id that holds over all accounts', async () => {
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

  it('says whose usage was lost when a record is refused, and gives back what was held for it', async () => {
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
