import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type FreshPlace, silentLog, storeKinds } from '../testing/store/test-stores.ts';
import { drainChannel, readDrained } from './drained-channels.ts';
import { migrate } from './migrate.ts';
import { allMigrations } from './migrations.ts';
import { openStore, type Store } from './store.ts';
import { SchemaTooNew, StoreError } from './store-errors.ts';
import { NoWrites } from './write-check.ts';

describe.each(storeKinds)('a store of kind $name', ({ name, fresh }) => {
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

  it('reports its kind', () => {
    expect(store.kind).toBe(name);
  });

  it('runs each migration once however often it is opened', async () => {
    const migrations = () =>
      sql`select name, timestamp from kysely_migration order by name`.execute(store.db);
    const before = (await migrations()).rows;
    await store.close();
    store = await openStore({ ...place.place, log: silentLog });
    expect((await migrations()).rows).toEqual(before);
    expect(before).toEqual(
      Object.keys(allMigrations).map((migration) => expect.objectContaining({ name: migration })),
    );
  });

  it('accepts a database that a later version has extended, and rejects one with a contracting migration', async () => {
    const later = (names: readonly string[]) =>
      sql`insert into kysely_migration (name, timestamp) select unnest(${names}::text[]), ''`.execute(
        store.db,
      );
    await later(['9998-later']);
    await migrate(store.db, 'the place');
    await later(['9999-contract-later']);
    await expect(migrate(store.db, 'the place')).rejects.toThrow(
      new SchemaTooNew('the place', ['9998-later', '9999-contract-later']),
    );
    await sql`delete from kysely_migration where name like '999%'`.execute(store.db);
  });

  it('rejects a database that has later migrations but lacks one of its own', async () => {
    const last = Object.keys(allMigrations).at(-1) ?? '';
    await sql`update kysely_migration set name = '9998-later' where name = ${last}`.execute(store.db);
    const refused = migrate(store.db, 'the place');
    await expect(refused).rejects.toThrow(new SchemaTooNew('the place', ['9998-later']));
    await sql`update kysely_migration set name = ${last} where name = '9998-later'`.execute(store.db);
  });

  it('reports that it is read-only, and recovers when it takes writes again', async () => {
    const setReadOnly = async (is: boolean): Promise<void> => {
      const setting = sql.raw(`default_transaction_read_only = ${is ? 'on' : 'off'}`);
      if (name === 'embedded') return void (await sql`set ${setting}`.execute(store.db));
      // In a read-write transaction: by default the transaction would be read-only.
      await store.db.connection().execute(async (one) => {
        await sql`begin read write`.execute(one);
        await sql`alter role current_user set ${setting}`.execute(one);
        await sql`commit`.execute(one);
      });
      // Open connections, including this one, keep the old setting.
      await sql`select pg_terminate_backend(pid) from pg_stat_activity where usename = current_user`
        .execute(store.db)
        .catch(() => {});
      await vi.waitFor(() => sql`select 1`.execute(store.db));
    };
    const write = () => drainChannel(store.db, 'none', new Date());
    await store.check();
    await setReadOnly(true);
    await vi.waitFor(() => expect(write()).rejects.toMatchObject({ code: '25006' }), { timeout: 10_000 });
    await expect(store.check()).rejects.toThrow(NoWrites);
    expect(await readDrained(store.db)).toEqual([]);
    await setReadOnly(false);
    await vi.waitFor(() => store.check(), { timeout: 10_000 });
    await write();
  });

  it('reads 64-bit integers without loss', async () => {
    const { rows } = await sql`select 9007199254740993::bigint as big`.execute(store.db);
    expect(rows).toEqual([{ big: 9007199254740993n }]);
  });

  it('answers 2,000 concurrent queries, each with its own result', async () => {
    const answers = await Promise.all(
      Array.from({ length: 2_000 }, async (_, index) => {
        const { rows } = await sql<{
          sum: number;
        }>`select ${index}::integer + ${sql.lit(index % 17)} as sum`.execute(store.db);
        return rows[0]?.sum;
      }),
    );
    expect(answers).toEqual(Array.from({ length: 2_000 }, (_, index) => index + (index % 17)));
  });

  it('keeps statements apart whose parameters arrive in many pieces', async () => {
    const long = 'x'.repeat(300_000);
    const ask = async (index: number) => {
      const text = index % 3 === 0 ? `${long}${index}` : `short ${index}`;
      const { rows } = await sql`select ${text}::text = ${text} as same, ${sql.lit(index)} as index`.execute(
        store.db,
      );
      return rows[0];
    };
    const answers = await Promise.all(Array.from({ length: 150 }, (_, index) => ask(index)));
    expect(answers).toEqual(Array.from({ length: 150 }, (_, index) => ({ same: true, index })));
  });

  it('isolates failed statements and rolled-back transactions from good ones', async () => {
    await sql`create table marks (mark integer)`.execute(store.db);
    const transaction = (index: number): Promise<unknown> =>
      store.db.transaction().execute(async (trx) => {
        await sql`insert into marks values (${index})`.execute(trx);
        await sql`select 1 / ${index % 2}::integer`.execute(trx);
      });
    const outcomes = await Promise.allSettled(
      Array.from({ length: 60 }, (_, index) =>
        index % 3 === 0 ? sql`select 1 / 0`.execute(store.db) : transaction(index),
      ),
    );
    const good = (index: number): boolean => index % 3 !== 0 && index % 2 === 1;
    expect(outcomes.map(({ status }) => status === 'fulfilled')).toEqual(
      outcomes.map((_, index) => good(index)),
    );
    const { rows } = await sql<{ mark: number }>`select mark from marks order by mark`.execute(store.db);
    expect(rows.map(({ mark }) => mark)).toEqual(
      Array.from({ length: 60 }, (_, index) => index).filter(good),
    );
  });
});

describe.each(storeKinds.filter(({ name }) => name === 'server'))(
  'two processes on one $name',
  ({ fresh }) => {
    it('migrate a new database together', async () => {
      const { place, remove } = await fresh();
      const stores = await Promise.all(
        Array.from({ length: 4 }, () => openStore({ ...place, log: silentLog })),
      );
      const counts = stores.map(({ db }) => sql`select count(*) as done from kysely_migration`.execute(db));
      for (const { rows } of await Promise.all(counts)) {
        expect(rows).toEqual([{ done: BigInt(Object.keys(allMigrations).length) }]);
      }
      await Promise.all(stores.map((store) => store.close()));
      await remove();
    });
  },
);

describe('openStore', () => {
  it('rejects options without a location', async () => {
    await expect(openStore({ log: silentLog })).rejects.toThrow(StoreError);
  });

  it('names an unreachable server without its password', async () => {
    const refused = openStore({ url: 'postgres://someone:s3cret@127.0.0.1:1/ledger', log: silentLog });
    await expect(refused).rejects.toThrow('The database in 127.0.0.1:1/ledger cannot be used: ');
    await expect(refused).rejects.not.toThrow('s3cret');
  });
});
