import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { freshDataDir, silentLog } from '../testing/store/test-stores.ts';
import { takeKeptCluster } from './kept-cluster.ts';
import { openStore, type Store } from './store.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'gatecheck-kept-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

it('is made once, by whoever comes first, and every further one is a copy', async () => {
  const keptIn = join(folder, 'kept');
  await Promise.all(['a', 'b'].map((name) => takeKeptCluster(join(folder, name), keptIn)));
  expect(readdirSync(keptIn)).toEqual([expect.stringMatching(/^postgres-\d/)]);
  await takeKeptCluster(join(folder, 'c'), keptIn);
  const [first, ...others] = ['a', 'b', 'c'].map((name) =>
    readdirSync(join(folder, name), { recursive: true }).toSorted(),
  );
  expect(others).toEqual([first, first]);
}, 60_000);

it('is what a new data directory begins with where one is named, and keeps nothing of any gateway', async () => {
  const keptIn = join(folder, 'kept');
  const one = freshDataDir();
  const open = (dataDir: string): Promise<Store> =>
    openStore({ dataDir, keptClusters: keptIn, log: silentLog });
  const first = await open(one.place.dataDir);
  await first.db
    .insertInto('accounts')
    .values({ id: 'own' } as never)
    .execute();
  await first.close();
  const other = freshDataDir();
  const second = await open(other.place.dataDir);
  expect(await second.db.selectFrom('accounts').select('id').execute()).toEqual([]);
  await second.close();
  const again = await open(one.place.dataDir);
  expect(await again.db.selectFrom('accounts').select('id').execute()).toEqual([{ id: 'own' }]);
  await again.close();
  await Promise.all([one, other].map(({ remove }) => remove()));
}, 60_000);
