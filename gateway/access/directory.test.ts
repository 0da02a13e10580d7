import { sql } from 'kysely';
import { beforeAll, describe, expect, it } from 'vitest';
import { type Clock, RealClock, TestClock } from '../clock.ts';
import type { PriceRow } from '../money/price-row.ts';
import { changeDirectory } from '../store/change-directory.ts';
import type { Store } from '../store/store.ts';
import { seedOneKey } from '../testing/store/seed-one-key.ts';
import { storeOf } from '../testing/store/store-of.ts';
import { storeKinds } from '../testing/store/test-stores.ts';
import type { KeyRecord } from './caller.ts';
import { createDirectory, type Directory } from './directory.ts';

interface Process {
  readonly directory: Directory;
  readonly failures: unknown[];
  keys: readonly KeyRecord[];
  /** The accounts whose keys were read last; null means all. */
  accounts: readonly string[] | null;
  prices: readonly PriceRow[];
  drained: readonly string[];
}

describe.each(storeKinds)('a directory on a store of kind $name', ({ fresh }) => {
  const store = storeOf(fresh);
  beforeAll(async () => {
    await seedOneKey(store.db);
  });
  function start(db: Store['db'] = store.db, timer: Clock = new RealClock()): Process {
    const failures: unknown[] = [];
    const directory = createDirectory({
      db,
      keys: {
        replace: (rows, accounts) => {
          one.keys = rows;
          one.accounts = accounts;
        },
      },
      prices: {
        replace: (rows) => {
          one.prices = rows;
        },
      },
      channels: {
        setDrained: (ids) => {
          one.drained = ids;
        },
      },
      peers: null,
      timer,
      onFailure: (cause) => failures.push(cause),
    });
    const one: Process = { directory, failures, keys: [], accounts: null, prices: [], drained: [] };
    return one;
  }
  const setCap = (cap: number): Promise<void> =>
    changeDirectory(store.db, async (trx) => {
      await trx.updateTable('users').set({ cap }).execute();
    });

  it('applies every change that was made before a reload', async () => {
    const one = start();
    for (const cap of [5, 6, 7]) {
      await setCap(cap);
      await one.directory.reload();
      expect(one.keys.map((key) => key.cap)).toEqual([cap]);
    }
  });

  it('applies changes when many reloads run at once', async () => {
    const one = start();
    const wrong: unknown[] = [];
    await Promise.all(
      Array.from({ length: 12 }, async (_, at) => {
        const model_id = `model-${String(at)}`;
        await changeDirectory(store.db, async (trx) => {
          const percents = { cached_percent: 0, write_5m_percent: 0, write_1h_percent: 0 };
          await trx
            .insertInto('prices')
            .values({ model_id, input_pico: 1n, output_pico: 1n, ...percents })
            .execute();
        });
        await one.directory.reload();
        if (!one.prices.some((row) => row.model_id === model_id)) wrong.push(model_id);
      }),
    );
    expect(wrong).toEqual([]);
  });

  it('sends no queries when no other process can change anything', async () => {
    const clock = new TestClock();
    let questions = 0;
    const counted = store.db.withPlugin({
      transformQuery: ({ node }) => {
        questions += 1;
        return node;
      },
      transformResult: async ({ result }) => result,
    });
    const one = start(counted, clock);
    const watch = one.directory.watch();
    await setCap(4);
    for (let second = 0; second < 10; second += 1) await clock.advance(1000);
    await one.directory.look();
    expect([one.keys, questions, one.directory.isFresh]).toEqual([[], 0, true]);
    await watch.stop();
  });

  it('repeats a failed reload and reports the failure once', async () => {
    let isOut = true;
    const flaky = store.db.withPlugin({
      transformQuery: ({ node }) => {
        if (isOut) throw new Error('out');
        return node;
      },
      transformResult: async ({ result }) => result,
    });
    const clock = new TestClock();
    const one = start(flaky, clock);
    await expect(one.directory.reload()).rejects.toThrow('out');
    const watch = one.directory.watch();
    const look = { interval: 5, timeout: 3000 };
    const afterReload = async (read: () => number): Promise<number> => {
      await clock.advance(500);
      return read();
    };
    await expect.poll(() => afterReload(() => one.failures.length), look).toBe(1);
    isOut = false;
    await expect.poll(() => afterReload(() => one.keys.length), look).toBe(1);
    expect(one.failures).toHaveLength(1);
    await watch.stop();
  });

  it('counts every change but none that was rolled back', async () => {
    const revision = async (): Promise<bigint> => {
      const { rows } = await sql<{
        revision: bigint;
      }>`select revision from directory_revision`.execute(store.db);
      return rows[0]?.revision ?? -1n;
    };
    const first = await revision();
    await setCap(2);
    const before = await revision();
    expect(before).toBeGreaterThan(first);
    const undone = changeDirectory(store.db, async () => {
      throw new Error('undone');
    });
    await expect(undone).rejects.toThrow('undone');
    expect(await revision()).toBe(before);
  });

  it('reads only the keys of changed accounts, whatever changed them', async () => {
    const one = start();
    const reads = async (change = ''): Promise<unknown> => {
      await sql.raw(change === '' ? 'select 1' : change).execute(store.db);
      await one.directory.reload();
      return [one.accounts, one.keys.map(({ id, disabled }) => (disabled ? `${id} disabled` : id))];
    };
    expect(await reads()).toEqual([null, ['k']]);
    expect(await reads()).toEqual([[], []]);
    for (const change of ['users set cap = 3', 'apps set markup_bp = 1', "accounts set models = '{}'"])
      expect(await reads(`update ${change}`)).toEqual([['acct'], ['k']]);
    expect(await reads('update api_keys set disabled = true')).toEqual([['acct'], ['k disabled']]);
    expect(await reads("insert into accounts (id) values ('other')")).toEqual([['other'], []]);
    expect(await reads('delete from api_keys')).toEqual([['acct'], []]);
    expect(await reads('truncate api_keys')).toEqual([null, []]);
    const many = "insert into accounts (id) select 'many-' || n from generate_series(1, $) as x(n)";
    expect(await reads(many.replace('$', '101'))).toEqual([null, []]);
    await sql.raw('truncate accounts, users, apps, api_keys, prices').execute(store.db);
    await one.directory.reload();
    await seedOneKey(store.db);
    expect(await reads()).toEqual([null, ['k']]);
  });
});
