import { type KyselyPlugin, sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { TestClock } from '../clock.ts';
import { openStore } from '../store/store.ts';
import { silentLog, storeKinds } from '../testing/store/test-stores.ts';
import { holdFor } from '../testing/tasks/tasks-bench.ts';
import { createSoleInstance } from '../work/instances.ts';
import { createHoldReaper } from './hold-reaper.ts';
import { LiveRequests } from './live-requests.ts';

describe.each(storeKinds)('a check for orphaned holds on a store of kind $name', ({ fresh }) => {
  it('keeps the holds of requests that ended while the query was running', async () => {
    const place = await fresh();
    const store = await openStore({ ...place.place, log: silentLog });
    try {
      const live = new LiveRequests();
      for (const id of ['left over', 'in flight', 'entrusted']) await holdFor(store.db, id);
      for (const id of ['in flight', 'entrusted']) live.add(id);
      const slowAnswers: KyselyPlugin = {
        transformQuery: ({ node }) => node,
        transformResult: async ({ result }) => {
          if (!result.rows.some((row) => 'request_id' in row)) return result;
          await sql`update open_holds set holder = 'tasks' where request_id = 'entrusted'`.execute(store.db);
          live.delete('entrusted');
          return result;
        },
      };
      const released: string[] = [];
      const reaper = createHoldReaper({
        db: store.db.withPlugin(slowAnswers),
        instances: createSoleInstance('gw_x'),
        timer: new TestClock(),
        log: silentLog,
        live,
        release: async (id) => released.push(id),
      });
      await reaper.open();
      expect(released).toEqual(['left over']);
      await reaper.close();
    } finally {
      await store.close();
      await place.remove();
    }
  });
});
