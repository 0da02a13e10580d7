import { sql } from 'kysely';
import { beforeEach, describe, expect, it } from 'vitest';
import {
  account,
  hashKey,
  key,
  otherAccount,
  price,
  seedThese,
  unitPrice,
} from '../testing/store/sample-seed.ts';
import { storeOf } from '../testing/store/store-of.ts';
import { storeKinds } from '../testing/store/test-stores.ts';
import { readKeys } from './read-keys.ts';
import { readPrices } from './read-prices.ts';
import type { AccountSeed } from './seed-rows.ts';
import { SeedConflict } from './store-errors.ts';

describe.each(storeKinds)('seeding an existing database, on a store of kind $name', ({ fresh }) => {
  const store = storeOf(fresh);

  beforeEach(async () => {
    await sql`truncate accounts, users, apps, api_keys, prices, deleted_seeds`.execute(store.db);
  });

  it('keeps rows changed by administrators until their entry changes', async () => {
    const seed = (cap: number): AccountSeed[] => [
      account({ users: [{ id: 'u1', cap }], keys: [key(), key({ id: 'k2', secret: 'two' })] }),
    ];
    await seedThese(store.db, seed(3), [price('delta-3')]);
    await sql`update users set cap = 9`.execute(store.db);
    await sql`update api_keys set disabled = true where id = 'k1'`.execute(store.db);
    await sql`update prices set input_pico = 7`.execute(store.db);
    const state = async () => ({
      keys: (await readKeys(store.db)).map(({ id, cap, disabled }) => ({ id, cap, disabled })),
      prices: (await readPrices(store.db)).map((row) => 'input_pico' in row && row.input_pico),
    });
    await seedThese(store.db, seed(3), [price('delta-3')]);
    expect(await state()).toEqual({
      keys: [
        { id: 'k1', cap: 9, disabled: true },
        { id: 'k2', cap: 9, disabled: false },
      ],
      prices: [7n],
    });
    await seedThese(store.db, seed(4), [price('delta-3', { input_pico: 8n })]);
    expect(await state()).toEqual({
      keys: [
        { id: 'k1', cap: 4, disabled: true },
        { id: 'k2', cap: 4, disabled: false },
      ],
      prices: [8n],
    });
  });

  it('keeps rows deleted by administrators away until their entry changes', async () => {
    await seedThese(store.db, [account()], [price('delta-3')]);
    await sql`insert into deleted_seeds (kind, id, seed_digest) select 'key', id, seed_digest from api_keys`.execute(
      store.db,
    );
    await sql`insert into deleted_seeds (kind, id, seed_digest) select 'price', model_id, seed_digest from prices`.execute(
      store.db,
    );
    await sql`truncate api_keys, prices`.execute(store.db);
    await seedThese(store.db, [account()], [price('delta-3')]);
    expect([await readKeys(store.db), await readPrices(store.db)]).toEqual([[], []]);
    const changed = [account({ keys: [key({ secret: 'rotated' })] })];
    for (let times = 0; times < 2; times += 1) {
      await seedThese(store.db, changed, [price('delta-3', { input_pico: 8n })]);
      expect(await readKeys(store.db)).toHaveLength(1);
      expect(await readPrices(store.db)).toEqual([price('delta-3', { input_pico: 8n })]);
    }
  });

  it('restores a deleted row whose entry was removed and listed again', async () => {
    await seedThese(store.db, [account()]);
    await sql`insert into deleted_seeds (kind, id, seed_digest) select 'key', id, seed_digest from api_keys`.execute(
      store.db,
    );
    await sql`truncate api_keys`.execute(store.db);
    await seedThese(store.db, [account({ keys: [] })]);
    await seedThese(store.db, [account()]);
    expect((await readKeys(store.db)).map(({ id }) => id)).toEqual(['k1']);
  });

  it('writes a price per unit, and replaces it with one per token', async () => {
    const quality_pico = { low: 10n ** 18n, medium: 7n, high: 0n };
    const listed = [
      unitPrice('alpha-image-2', { quality_pico }),
      unitPrice('vidB2', { unit: 'second', unit_pico: 0n }),
    ];
    await seedThese(store.db, [], listed);
    expect(await readPrices(store.db)).toEqual(listed);
    await seedThese(store.db, [], [price('alpha-image-2'), unitPrice('vidB2', { unit: 'task' })]);
    expect(await readPrices(store.db)).toEqual([
      price('alpha-image-2'),
      unitPrice('vidB2', { unit: 'task' }),
    ]);
    const mixed = sql`update prices set unit_pico = 1 where model_id = 'alpha-image-2'`.execute(store.db);
    await expect(mixed).rejects.toThrow('prices_one_kind');
  });

  it('deletes prices that are no longer listed, except those that no configuration listed', async () => {
    await seedThese(store.db, [], [price('alpha-5-2'), price('delta-3')]);
    await sql`insert into prices values ('own-1', 1, 1, 0, 0, 0)`.execute(store.db);
    await seedThese(store.db, [], [price('delta-3')]);
    expect((await readPrices(store.db)).map(({ model_id }) => model_id)).toEqual(['delta-3', 'own-1']);
  });

  it('lets a key take over the secret of a key that is no longer listed', async () => {
    await seedThese(store.db, [account()]);
    await seedThese(store.db, [account({ keys: [key({ id: 'k2' })] })]);
    expect((await readKeys(store.db)).map(({ id }) => id)).toEqual(['k2']);
  });

  it('lets two keys swap their secrets', async () => {
    const two = (one: string, other: string): AccountSeed =>
      account({ keys: [key({ secret: one }), key({ id: 'k2', secret: other })] });
    await seedThese(store.db, [two('x', 'y')]);
    await seedThese(store.db, [two('y', 'x')]);
    expect((await readKeys(store.db)).map(({ hash }) => hash)).toEqual([hashKey('y'), hashKey('x')]);
  });
  it('rejects a secret that a key made by an administrator already has', async () => {
    await seedThese(store.db, [account()]);
    await sql`update api_keys set seed_digest = null`.execute(store.db);
    const second = otherAccount({ keys: [key({ id: 'k2', user: 'u2', app: 'a2' })] });
    const message = 'Key k2 has the secret of key k1, which is in the database already.';
    await expect(seedThese(store.db, [second])).rejects.toThrow(new SeedConflict(message));
    expect((await readKeys(store.db)).map(({ id }) => id)).toEqual(['k1']);
  });
});
