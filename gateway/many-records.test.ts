import { expect, it } from 'vitest';
import { measureStore } from './testing/load/run-many-records.ts';
import { server } from './testing/store/test-stores.ts';

// The duration is measured by a command: see testing/many-records.ts.
it.skipIf(server.isMissing)(
  'a gateway on a store with many old records serves, and finds them by every filter',
  { timeout: 120_000 },
  async () => {
    const { place, remove } = await server.fresh();
    const url = 'url' in place ? place.url : '';
    const { questions } = await measureStore(url, 60_100).finally(remove);
    const nothing = questions.filter(({ found }) => found === 0).map(({ path }) => path);
    expect(nothing).toEqual(['/usage?account_id=nobody', '/audit', '/tasks', '/webhooks']);
  },
);
