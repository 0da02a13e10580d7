import { sql } from 'kysely';
import { beforeEach, describe, expect, it } from 'vitest';
import { account, hashKey, key, otherAccount, seedSecret, seedThese } from '../testing/store/sample-seed.ts';
import { storeOf } from '../testing/store/store-of.ts';
import { storeKinds } from '../testing/store/test-stores.ts';
import { readKeys } from './read-keys.ts';
import { SeedConflict } from './store-errors.ts';

describe.each(storeKinds)('seedAccounts on a store of kind $name', ({ fresh }) => {
  const store = storeOf(fresh);

  beforeEach(async () => {
    await sql`truncate accounts, users, apps, api_keys, prices, deleted_seeds`.execute(store.db);
  });

  /** Every row of every gateway table, as text. */
  async function dump(): Promise<string> {
    const { rows } = await sql<{ name: string }>`
      select tablename as name from pg_tables where schemaname = 'public' order by 1`.execute(store.db);
    const tables = await Promise.all(
      rows.map(({ name }) =>
        sql<{ row: string }>`select t::text as row from ${sql.table(name)} t`.execute(store.db),
      ),
    );
    return tables.flatMap((table) => table.rows.map(({ row }) => row)).join('\n');
  }

  it('writes the listed accounts and prices', async () => {
    const expiresAt = new Date('2027-01-01T00:00:00Z');
    const first = account({ models: ['alpha-5-2', 'delta-3'] });
    const second = otherAccount({
      keys: [
        key({
          id: 'k2',
          user: 'u2',
          app: 'a2',
          secret: 'other',
          disabled: true,
          expires_at: expiresAt,
          allow: ['10.0.0.0/8'],
        }),
      ],
    });
    await seedThese(store.db, [first, second]);
    expect(await readKeys(store.db)).toEqual([
      {
        hash: hashKey(seedSecret),
        id: 'k1',
        account_id: 'acct',
        user_id: 'u1',
        app_id: 'a1',
        cap: 3,
        models: ['alpha-5-2', 'delta-3'],
        disabled: false,
        expires_at_ms: null,
        allow: [],
        channels_of: null,
        markup_bp: 0,
        model_markup_bp: {},
      },
      {
        hash: hashKey('other'),
        id: 'k2',
        account_id: 'other',
        user_id: 'u2',
        app_id: 'a2',
        cap: 3,
        models: null,
        disabled: true,
        expires_at_ms: expiresAt.getTime(),
        allow: ['10.0.0.0/8'],
        channels_of: null,
        markup_bp: 0,
        model_markup_bp: {},
      },
    ]);
  });

  it("keeps the database's foreign keys in force for later rows", async () => {
    await seedThese(store.db, [account()]);
    await expect(
      sql`insert into users (id, account_id, cap) values ('u9', 'nobody', 1)`.execute(store.db),
    ).rejects.toThrow(/foreign key/);
  });

  it('changes nothing when it runs again', async () => {
    const seed = [account({ models: [] }), otherAccount()];
    await seedThese(store.db, seed);
    const versions = () =>
      sql`select id, xmin::text from api_keys union all select id, xmin::text from accounts
      union all select id, xmin::text from users union all select id, xmin::text from apps order by 1`.execute(
        store.db,
      );
    const before = (await versions()).rows;
    await seedThese(store.db, seed);
    expect((await versions()).rows).toEqual(before);
    expect(before).toHaveLength(8);
  });

  it('applies every change of listed entries and keeps unlisted rows, except keys', async () => {
    await seedThese(store.db, [account(), otherAccount()]);
    const changed = account({
      models: [],
      prepaid: true,
      monthly_tokens: 5_000_000_000,
      channels_of: 'acct',
      users: [
        { id: 'u1', cap: 3 },
        { id: 'u9', cap: 7 },
      ],
      apps: [{ id: 'a1', markup_bp: 250, model_markup_bp: { 'delta-3': -100 } }],
      keys: [
        key({ user: 'u9', secret: 'rotated', disabled: true, expires_at: new Date(5_000), allow: ['::1'] }),
      ],
    });
    await seedThese(store.db, [changed]);
    expect(await readKeys(store.db)).toEqual([
      {
        hash: hashKey('rotated'),
        id: 'k1',
        account_id: 'acct',
        user_id: 'u9',
        app_id: 'a1',
        cap: 7,
        models: [],
        disabled: true,
        expires_at_ms: 5_000,
        allow: ['::1'],
        channels_of: 'acct',
        markup_bp: 250,
        model_markup_bp: { 'delta-3': -100 },
      },
    ]);
    const accounts = await store.db
      .selectFrom('accounts')
      .select(['id', 'prepaid', 'monthly_tokens'])
      .orderBy('id')
      .execute();
    expect(accounts).toEqual([
      { id: 'acct', prepaid: true, monthly_tokens: 5_000_000_000n },
      { id: 'other', prepaid: false, monthly_tokens: null },
    ]);
    const apps = await store.db.selectFrom('apps').select(['id', 'markup_bp']).orderBy('id').execute();
    expect(apps).toEqual([
      { id: 'a1', markup_bp: 250 },
      { id: 'a2', markup_bp: 0 },
    ]);
  });

  it('keeps no secret in any table', async () => {
    await seedThese(store.db, [
      account(),
      otherAccount({ keys: [key({ id: 'k2', user: 'u2', app: 'a2', secret: 'shortsecret' })] }),
    ]);
    const text = await dump();
    expect(text).toContain(hashKey(seedSecret));
    expect(text).not.toContain(seedSecret);
    expect(text).not.toContain(seedSecret.slice(8, -4));
    expect(text).not.toContain('shortsecret');
    expect(text).not.toContain('shorts');
  });

  it.each([
    [
      'a key that moves to another account',
      otherAccount({ keys: [key({ user: 'u2', app: 'a2' })] }),
      'The key k1 belongs to account acct and cannot move to account other.',
    ],
    [
      'a user that moves to another account',
      otherAccount({ users: [{ id: 'u1', cap: 3 }], keys: [] }),
      'The user u1 belongs to account acct and cannot move to account other.',
    ],
    [
      'an app that moves to another account',
      otherAccount({ apps: [{ id: 'a1', markup_bp: 0, model_markup_bp: {} }], keys: [] }),
      'The app a1 belongs to account acct and cannot move to account other.',
    ],
  ])('refuses %s and writes nothing', async (_what, second, message) => {
    await seedThese(store.db, [account()]);
    const before = await dump();
    await expect(seedThese(store.db, [second])).rejects.toThrow(new SeedConflict(message));
    expect(await dump()).toBe(before);
  });

  it.each([
    ['an account listed twice', [account(), account()], 'The account id acct is listed twice.'],
    [
      'a key listed twice',
      [account({ keys: [key(), key({ secret: 'b' })] })],
      'The key id k1 is listed twice.',
    ],
    [
      'two keys with one secret',
      [account({ keys: [key(), key({ id: 'k2' })] })],
      'Keys k1 and k2 have the same secret.',
    ],
    [
      'a key of a user that is not listed',
      [account({ keys: [key({ user: 'u7' })] })],
      'Key k1 names user u7, which account acct does not list.',
    ],
    [
      'a key of an app that is not listed',
      [account({ keys: [key({ app: 'a7' })] })],
      'Key k1 names app a7, which account acct does not list.',
    ],
  ])('refuses %s', async (_what, seed, message) => {
    await expect(seedThese(store.db, seed)).rejects.toThrow(new SeedConflict(message));
    expect(await readKeys(store.db)).toEqual([]);
  });

  it('needs the same number of statements for 1 and for 64 accounts', async () => {
    const count = async (accounts: number): Promise<number> => {
      let statements = 0;
      const counting = store.db.withPlugin({
        transformQuery: ({ node }) => {
          statements += 1;
          return node;
        },
        transformResult: async ({ result }) => result,
      });
      const seed = Array.from({ length: accounts }, (_, a) =>
        account({
          id: `acct-${a}`,
          users: [{ id: `u-${a}`, cap: 3 }],
          apps: [{ id: `a-${a}`, markup_bp: 0, model_markup_bp: {} }],
          keys: Array.from({ length: 8 }, (_, k) =>
            key({ id: `k-${a}-${k}`, user: `u-${a}`, app: `a-${a}`, secret: `${seedSecret}${a}-${k}` }),
          ),
        }),
      );
      await seedThese(counting, seed);
      return statements;
    };
    // A new database needs fewer statements.
    await count(1);
    const forOne = await count(1);
    expect(await count(64)).toBe(forOne);
    expect(await readKeys(store.db)).toHaveLength(512);
  });
});
