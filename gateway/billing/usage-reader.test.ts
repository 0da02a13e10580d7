import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openStore, type Store } from '../store/store.ts';
import { type FreshPlace, STORE_KINDS, silentLog } from '../store/test-stores.ts';
import { sampleUsage } from './sample-usage.ts';
import { createUsageReader } from './usage-reader.ts';
import { createUsageWriter } from './usage-writer.ts';

describe.each(STORE_KINDS)('the usage reader on a store of kind $name', ({ fresh }) => {
  let place: FreshPlace;
  let store: Store;

  beforeAll(async () => {
    place = await fresh();
    store = await openStore({ ...place.place, log: silentLog });
  });

  afterAll(async () => {
    await store.close();
    await place.remove();
  });

  it.for([
    sampleUsage('plain'),
    sampleUsage('unknown', { channel_id: null, usage_known: false }),
    sampleUsage('large', { stream: true, attempts: 2, cached_tokens: 9_007_199_254_740_993n }),
    sampleUsage('odd \0 \ud800', {
      model_requested: 'a\0',
      outcome: '\u001a',
      end_user: 'lone \udfff',
      metadata: { 'key\0': 'v', __proto: 'x' },
    }),
  ])('gives back the record of one request as it was written: $request_id', async (record) => {
    await createUsageWriter(store.db).write(record);
    await createUsageWriter(store.db).write(sampleUsage(`not ${record.request_id}`));
    expect(await createUsageReader(store.db).ofRequest(record.request_id)).toEqual([record]);
  });

  it('knows nothing of a request that is not on record', async () => {
    expect(await createUsageReader(store.db).ofRequest('no such request')).toEqual([]);
  });
});
