import { beforeAll, describe, expect, it } from 'vitest';
import { sampleLedger } from '../testing/billing/sample-ledger.ts';
import { sampleUsage } from '../testing/billing/sample-usage.ts';
import { storeOf } from '../testing/store/store-of.ts';
import { storeKinds } from '../testing/store/test-stores.ts';
import { createUsageReader, type UsageFilter, type UsageReader } from './usage-reader.ts';

const T = Date.UTC(2026, 10, 22, 12);
const log = [
  sampleUsage('a', { ended_at_ms: T, metadata: { team: 'red', job: '1' } }),
  sampleUsage('b', { ended_at_ms: T, end_user: 'ann', metadata: { team: 'red' } }),
  sampleUsage('c', { ended_at_ms: T + 1, end_user: 'ann', model_served: 'delta-3' }),
  sampleUsage('d', { ended_at_ms: T + 2, account_id: 'other', metadata: { '"\0': '\ud800' } }),
];

describe.each(storeKinds)('the usage reader on a store of kind $name', ({ fresh }) => {
  const store = storeOf(fresh);
  let reader: UsageReader;
  let ledger: ReturnType<typeof sampleLedger>;

  beforeAll(async () => {
    reader = createUsageReader(store.db);
    ledger = sampleLedger(store.db);
    for (const record of log) await ledger.settle(record);
  });

  it.for([
    sampleUsage('plain'),
    sampleUsage('unknown', { channel_id: null, usage_known: false }),
    sampleUsage('large', { stream: true, attempts: 2, cached_tokens: 9_007_199_254_740_993n }),
    sampleUsage('dear', {
      charge_pico: 10n ** 30n,
      price: {
        input: 3n,
        output: 4n,
        cachedPercent: 10n,
        write5mPercent: 125n,
        write1hPercent: 200n,
        markupBp: -50,
      },
      parents: ['first', 'odd \0'],
    }),
    sampleUsage('odd \0 \ud800', {
      model_requested: 'a\0',
      outcome: '\u001a',
      end_user: 'lone \udfff',
      metadata: { 'key\0': 'v', __proto: 'x' },
    }),
  ])('gives back the record of one request as it was written: $request_id', async (record) => {
    await ledger.settle(record);
    expect(await reader.search({ requestId: record.request_id }, 2)).toEqual([record]);
  });

  it('finds nothing for an unknown request', async () => {
    expect(await reader.search({ requestId: 'no such request' }, 1)).toEqual([]);
  });

  it.for<[UsageFilter, string[]]>([
    [{ fromMs: T }, ['d', 'c', 'b', 'a']],
    [{ fromMs: T, accountId: 'other' }, ['d']],
    [{ fromMs: T + 1, toMs: T + 2 }, ['c']],
    [{ fromMs: T, endUser: 'ann' }, ['c', 'b']],
    [{ endUser: 'ann', modelId: 'delta-3' }, ['c']],
    [{ metadata: { team: 'red' } }, ['b', 'a']],
    [{ metadata: { job: '1', team: 'red' } }, ['a']],
    [{ metadata: { team: 'red', job: '2' } }, []],
    [{ metadata: { '"\0': '\ud800' } }, ['d']],
    [{ fromMs: T, metadata: {} }, ['d', 'c', 'b', 'a']],
  ])('finds what fits all of %j, newest first', async ([filter, ids]) => {
    expect((await reader.search(filter, 10)).map((record) => record.request_id)).toEqual(ids);
  });

  it('continues after a given record, also among records of the same instant', async () => {
    const seen: string[] = [];
    let [last] = await reader.search({ fromMs: T }, 1);
    while (last !== undefined) {
      seen.push(last.request_id);
      [last] = await reader.search({ fromMs: T }, 1, last);
    }
    expect(seen).toEqual(['d', 'c', 'b', 'a']);
  });
});
