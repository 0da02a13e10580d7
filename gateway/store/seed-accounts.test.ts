import { createHmac } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { readKeys } from './read-keys.ts';
import { type AccountSeed, type KeySeed, seedAccounts } from './seed-accounts.ts';
import { openStore, type Store } from './store.ts';
import { SeedConflict } from './store-errors.ts';
import { type FreshPlace, STORE_KINDS, silentLog } from './test-stores.ts';

const SECRET = 'sk-app-Zq81mmVd0pX7uLrT4wYe2Kc9';

function hashKey(secret: string): string {
  return createHmac('sha256', 'pepper').update(secret).digest('hex');
}

function key(overrides: Partial<KeySeed> = {}): KeySeed {
  return {
    id: 'k1',
    user: 'u1',
    app: 'a1',
    secret: SECRET,
    disabled: false,
    expires_at: null,
    allow: [],
    ...overrides,
  };
}

function account(overrides: Partial<AccountSeed> = {}): AccountSeed {
  return {
    id: 'acct',
    models: 'all',
    users: [{ id: 'u1', cap: 3 }],
    apps: [{ id: 'a1', markup_bp: 0 }],
    keys: [key()],
    ...overrides,
  };
}

/** An account whose ids have nothing in common with those of `account`. */
function otherAccount(overrides: Partial<AccountSeed> = {}): AccountSeed {
  return account({
    id: 'other',
    users: [{ id: 'u2', cap: 3 }],
    apps: [{ id: 'a2', markup_bp: 0 }],
    keys: [key({ id: 'k2', user: 'u2', app: 'a2', secret: `${SECRET}-2` })],
    ...overrides,
  });
}

describe.each(STORE_KINDS)('seedAccounts on a store of kind $name', ({ fresh }) => {
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

  beforeEach(async () => {
    await sql`truncate accounts, users, apps, api_keys`.execute(store.db);
  });

  /** Every row of every table of ours, as text. */
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

  it('writes what the configuration lists', async () => {
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
    await seedAccounts(store.db, [first, second], hashKey);
    expect(await readKeys(store.db)).toEqual([
      {
        hash: hashKey(SECRET),
        id: 'k1',
        account_id: 'acct',
        user_id: 'u1',
        app_id: 'a1',
        cap: 3,
        models: ['alpha-5-2', 'delta-3'],
        disabled: false,
        expires_at_ms: null,
        allow: [],
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
      },
    ]);
  });

  it('changes nothing when it runs again', async () => {
    const seed = [account({ models: [] }), otherAccount()];
    await seedAccounts(store.db, seed, hashKey);
    const versions = () =>
      sql`select id, xmin::text from api_keys union all select id, xmin::text from accounts
      union all select id, xmin::text from users union all select id, xmin::text from apps order by 1`.execute(
        store.db,
      );
    const before = (await versions()).rows;
    await seedAccounts(store.db, seed, hashKey);
    expect((await versions()).rows).toEqual(before);
    expect(before).toHaveLength(8);
  });

  it('follows every change of what is listed and keeps what is not', async () => {
    await seedAccounts(store.db, [account(), otherAccount()], hashKey);
    const changed = account({
      models: [],
      users: [
        { id: 'u1', cap: 3 },
        { id: 'u9', cap: 7 },
      ],
      apps: [{ id: 'a1', markup_bp: 250 }],
      keys: [
        key({ user: 'u9', secret: 'rotated', disabled: true, expires_at: new Date(5_000), allow: ['::1'] }),
      ],
    });
    await seedAccounts(store.db, [changed], hashKey);
    const [first, second] = await readKeys(store.db);
    expect(first).toEqual({
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
    });
    expect(second).toEqual(expect.objectContaining({ id: 'k2', hash: hashKey(`${SECRET}-2`) }));
    const apps = await store.db.selectFrom('apps').select(['id', 'markup_bp']).orderBy('id').execute();
    expect(apps).toEqual([
      { id: 'a1', markup_bp: 250 },
      { id: 'a2', markup_bp: 0 },
    ]);
  });

  it('lets two keys swap their secrets', async () => {
    const two = (one: string, other: string): AccountSeed =>
      account({ keys: [key({ secret: one }), key({ id: 'k2', secret: other })] });
    await seedAccounts(store.db, [two('x', 'y')], hashKey);
    await seedAccounts(store.db, [two('y', 'x')], hashKey);
    expect((await readKeys(store.db)).map(({ hash }) => hash)).toEqual([hashKey('y'), hashKey('x')]);
  });

  it('keeps no secret in any table', async () => {
    await seedAccounts(
      store.db,
      [account(), otherAccount({ keys: [key({ id: 'k2', user: 'u2', app: 'a2', secret: 'shortsecret' })] })],
      hashKey,
    );
    const text = await dump();
    expect(text).toContain(hashKey(SECRET));
    expect(text).not.toContain(SECRET);
    expect(text).not.toContain(SECRET.slice(8, -4));
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
      otherAccount({ apps: [{ id: 'a1', markup_bp: 0 }], keys: [] }),
      'The app a1 belongs to account acct and cannot move to account other.',
    ],
    [
      'a secret that another key has already',
      otherAccount({ keys: [key({ id: 'k2', user: 'u2', app: 'a2' })] }),
      'Key k2 has the secret of key k1, which is in the database already.',
    ],
  ])('refuses %s and writes nothing', async (_what, second, message) => {
    await seedAccounts(store.db, [account()], hashKey);
    const before = await dump();
    await expect(seedAccounts(store.db, [second], hashKey)).rejects.toThrow(new SeedConflict(message));
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
    await expect(seedAccounts(store.db, seed, hashKey)).rejects.toThrow(new SeedConflict(message));
    expect(await readKeys(store.db)).toEqual([]);
  });

  it('takes 64 accounts with 8 keys each in a number of statements that does not grow', async () => {
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
          apps: [{ id: `a-${a}`, markup_bp: 0 }],
          keys: Array.from({ length: 8 }, (_, k) =>
            key({ id: `k-${a}-${k}`, user: `u-${a}`, app: `a-${a}`, secret: `${SECRET}${a}-${k}` }),
          ),
        }),
      );
      await seedAccounts(counting, seed, hashKey);
      return statements;
    };
    const forOne = await count(1);
    expect(await count(64)).toBe(forOne);
    expect(await readKeys(store.db)).toHaveLength(512);
  });
});
