import { type Kysely, sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import type { Database } from '../store/database.ts';
import { sampleLedger } from '../testing/billing/sample-ledger.ts';
import { sampleUsage } from '../testing/billing/sample-usage.ts';
import { storeOf } from '../testing/store/store-of.ts';
import { storeKinds } from '../testing/store/test-stores.ts';
import { decodeEntries, decodeText } from './stored-text.ts';
import { createUsageReader } from './usage-reader.ts';

describe.each(storeKinds)('the usage records of a ledger on a store of kind $name', ({ fresh }) => {
  const store = storeOf(fresh);

  function read(requestId: string) {
    return store.db
      .selectFrom('usage_records')
      .selectAll()
      .where('request_id', '=', requestId)
      .executeTakeFirst();
  }

  async function count(prefix: string): Promise<bigint> {
    const { rows } = await sql<{ n: bigint }>`
      select count(*) as n from usage_records where request_id like ${`${prefix}%`}`.execute(store.db);
    return rows[0]?.n ?? 0n;
  }

  function counting(): { db: Kysely<Database>; statements: () => number } {
    let statements = 0;
    const db = store.db.withPlugin({
      transformQuery: ({ node }) => node,
      transformResult: async ({ result }) => {
        statements += 1;
        return result;
      },
    });
    return { db, statements: () => statements };
  }

  it('writes every column as it was given', async () => {
    const record = sampleUsage('full', {
      model_served: 'alpha-5-pro',
      stream: true,
      attempts: 2,
      prompt_tokens: 9_007_199_254_740_993n,
      completion_tokens: 9_223_372_036_854_775_807n,
      cached_tokens: 5n,
      cache_write_5m_tokens: 6n,
      cache_write_1h_tokens: 9_007_199_254_740_995n,
      end_user: 'somebody "quoted" \\ {curly}',
      metadata: { team: 'a,b', __proto: 'x', empty: '' },
      charge_pico: 9_007_199_254_740_993_000_000n,
      price: {
        input: 9_007_199_254_740_993n,
        output: 2n,
        cachedPercent: 10n,
        write5mPercent: 125n,
        write1hPercent: 200n,
        markupBp: -50,
      },
      parents: ['first', 'second, "quoted" {curly}'],
    });
    await sampleLedger(store.db).settle(record);
    const { started_at_ms, ended_at_ms, ...same } = record;
    expect(await read('full')).toEqual({
      ...same,
      charge_pico: '9007199254740993000000',
      price: {
        input_pico: '9007199254740993',
        output_pico: '2',
        cached_percent: 10,
        write_5m_percent: 125,
        write_1h_percent: 200,
        markup_bp: -50,
      },
      started_at: new Date(started_at_ms),
      ended_at: new Date(ended_at_ms),
    });
  });

  it('writes task output with its unit price', async () => {
    const record = sampleUsage('made', {
      units: 2_147_483_647,
      unit: 'second',
      task_id: 'task_of \u0000 somebody',
      price: { unit: 'second', unitPico: 10n ** 18n, markupBp: 25 },
      parents: ['task_1', 'task_2'],
    });
    const ledger = sampleLedger(store.db);
    await Promise.all([ledger.settle(record), ledger.settle(sampleUsage('not-made'))]);
    const [read] = await createUsageReader(store.db).search({ requestId: 'made' }, 1);
    expect(read).toEqual(record);
    const [other] = await createUsageReader(store.db).search({ requestId: 'not-made' }, 1);
    expect(other).toMatchObject({ units: null, unit: null, task_id: null });
  });

  it('writes unknown values as null', async () => {
    await sampleLedger(store.db).settle(
      sampleUsage('unknown', { channel_id: null, usage_known: false, end_user: null, metadata: null }),
    );
    const { rows } = await sql`
      select channel_id is null and end_user is null and metadata is null as nulls
      from usage_records where request_id = 'unknown'`.execute(store.db);
    expect(rows).toEqual([{ nulls: true }]);
  });

  it('stores text that PostgreSQL refuses in a form that reads back', async () => {
    const endUser = 'nul \0, lone \ud800, escape \u001a';
    const metadata = { 'key\0': 'value \udfff', fine: 'ok' };
    await sampleLedger(store.db).settle(
      sampleUsage('nasty', { end_user: endUser, metadata, outcome: 'x\0' }),
    );
    const stored = await read('nasty');
    expect(decodeText(stored?.end_user ?? '')).toBe(endUser);
    expect(decodeEntries(stored?.metadata ?? {})).toEqual(metadata);
    expect(decodeText(stored?.outcome ?? '')).toBe('x\0');
  });

  it('keeps the first record of a request and acknowledges the second', async () => {
    const ledger = sampleLedger(store.db);
    await ledger.settle(sampleUsage('twice', { outcome: 'ok' }));
    await ledger.settle(sampleUsage('twice', { outcome: 'internal_error' }));
    await Promise.all([ledger.settle(sampleUsage('same batch')), ledger.settle(sampleUsage('same batch'))]);
    expect((await read('twice'))?.outcome).toBe('ok');
    expect(await count('same batch')).toBe(1n);
  });

  it('writes 1,000 concurrent records in ten statements', async () => {
    const { db, statements } = counting();
    const ledger = sampleLedger(db);
    await Promise.all(Array.from({ length: 1_000 }, (_, n) => ledger.settle(sampleUsage(`many-${n}`))));
    expect(statements()).toBe(10);
    expect(await count('many-')).toBe(1_000n);
  });

  it('rejects only the records that are invalid', async () => {
    const ledger = sampleLedger(store.db);
    const outcomes = await Promise.allSettled([
      ledger.settle(sampleUsage('good-1')),
      ledger.settle(sampleUsage('bad-1', { prompt_tokens: -1n })),
      ledger.settle(sampleUsage('good-2')),
      ledger.settle(sampleUsage('bad-2', { started_at_ms: Number.NaN })),
      ledger.settle(sampleUsage('bad-3', { completion_tokens: 2n ** 63n })),
      ledger.settle(sampleUsage('good-3')),
    ]);
    expect(outcomes.map(({ status }) => status)).toEqual([
      'fulfilled',
      'rejected',
      'fulfilled',
      'rejected',
      'rejected',
      'fulfilled',
    ]);
    expect([await count('good-'), await count('bad-')]).toEqual([3n, 0n]);
  });

  it('drains all queued records', async () => {
    const ledger = sampleLedger(store.db);
    const written = Array.from({ length: 250 }, (_, n) => ledger.settle(sampleUsage(`drain-${n}`)));
    await ledger.drain();
    expect(await count('drain-')).toBe(250n);
    await Promise.all(written);
  });

  it.each([
    ['changed', sql`update usage_records set outcome = 'ok'`],
    ['deleted', sql`delete from usage_records`],
    ['truncated', sql`truncate usage_records`],
    [
      'changed by a conflicting insert',
      sql`
      insert into usage_records select * from usage_records on conflict (request_id) do update set outcome = 'ok'`,
    ],
  ])('writes what can never be %s', async (_how, statement) => {
    await sampleLedger(store.db).settle(sampleUsage('for ever'));
    const before = await count('');
    await expect(statement.execute(store.db)).rejects.toThrow('usage_records is append-only');
    expect(await count('')).toBe(before);
  });
});
