import {
  chmodSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { copyCluster } from '../testing/store/test-cluster.ts';
import { freshDataDir, silentLog } from '../testing/store/test-stores.ts';
import { packCluster } from './cluster-file.ts';
import { takeKeptCluster } from './kept-cluster.ts';
import { allMigrations } from './migrations.ts';
import { openStore, type Store } from './store.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'gatecheck-kept-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

/** Creates small clusters and counts them. */
function maker(): { make: () => Promise<Buffer>; made: () => number } {
  let made = 0;
  const make = async (): Promise<Buffer> => {
    made += 1;
    const dir = mkdtempSync(join(folder, 'small-'));
    mkdirSync(join(dir, 'base', 'empty'), { recursive: true });
    writeFileSync(join(dir, 'base', '1'), Buffer.alloc(100_000, 'abc'));
    writeFileSync(join(dir, 'PG_VERSION'), '');
    return packCluster(dir);
  };
  return { make, made: () => made };
}

const whole = ['PG_VERSION', 'base', 'base/1', 'base/empty'];

describe('a kept cluster', () => {
  /** Fills a new directory, and lists its files. */
  async function filled(keptIn: string, make: () => Promise<Buffer>): Promise<string[]> {
    const dir = join(mkdtempSync(join(folder, 'filled-')), 'postgres');
    await takeKeptCluster(dir, keptIn, make);
    expect(readFileSync(join(dir, 'base', '1'))).toEqual(Buffer.alloc(100_000, 'abc'));
    return readdirSync(dir, { recursive: true, encoding: 'utf8' }).toSorted();
  }

  it('is kept after its creation, and copied from then on', async () => {
    const [keptIn, { make, made }] = [join(folder, 'kept'), maker()];
    expect(await Promise.all(['one', 'other'].map(() => filled(keptIn, make)))).toEqual([whole, whole]);
    expect(made()).toBe(2);
    expect(readdirSync(keptIn)).toEqual([expect.stringMatching(/^cluster-\d+\.\d+\.\d+-[0-9a-f]{16}$/)]);
    expect(await filled(keptIn, make)).toEqual(whole);
    expect(made()).toBe(2);
  });

  it.each<[string, (path: string) => void]>([
    ['is damaged', (path) => writeFileSync(path, readFileSync(path).fill('damage', 60, 66))],
    ['is cut off', (path) => writeFileSync(path, readFileSync(path).subarray(0, 50))],
    ['is empty', (path) => writeFileSync(path, '')],
    ['others may write', (path) => chmodSync(path, 0o666)],
    [
      'stands somewhere else',
      (path) => {
        renameSync(path, `${path}-real`);
        symlinkSync(`${path}-real`, path);
      },
    ],
  ])('that %s is made anew', async (_, spoil) => {
    const [keptIn, { make, made }] = [join(folder, 'kept'), maker()];
    await filled(keptIn, make);
    const path = join(keptIn, readdirSync(keptIn)[0] ?? '');
    spoil(path);
    expect(await filled(keptIn, make)).toEqual(whole);
    expect(made()).toBe(2);
    expect(lstatSync(path).isFile()).toBe(true);
    expect(lstatSync(path).mode & 0o777).toBe(0o600);
    expect(await filled(keptIn, make)).toEqual(whole);
    expect(made()).toBe(2);
  });

  it('is created even if the cache folder cannot be written', async () => {
    writeFileSync(join(folder, 'file'), '');
    expect(await filled(join(folder, 'file', 'kept'), maker().make)).toEqual(whole);
  });
});

const open = (dataDir: string, keptClusters = join(folder, 'none')): Promise<Store> =>
  openStore({ dataDir, keptClusters, log: silentLog });

// Creating a cluster takes seconds, and longer on a busy machine.
describe('a data directory made from a kept cluster', { timeout: 300_000 }, () => {
  it('has every migration applied and contains no data of another gateway', async () => {
    const keptIn = join(folder, 'kept');
    const one = freshDataDir();
    const first = await open(one.place.dataDir, keptIn);
    const { rows } = await sql<{ name: string }>`select name from kysely_migration order by name`.execute(
      first.db,
    );
    expect(rows.map(({ name }) => name)).toEqual(Object.keys(allMigrations));
    await sql`insert into accounts (id) values ('own')`.execute(first.db);
    await first.close();
    const [file = ''] = readdirSync(keptIn);
    expect(statSync(join(keptIn, file)).size).toBeLessThan(2_000_000);
    const other = freshDataDir();
    const second = await open(other.place.dataDir, keptIn);
    expect(await accountsIn(second)).toEqual([]);
    await second.close();
    const again = await open(one.place.dataDir, keptIn);
    expect(await accountsIn(again)).toEqual([{ id: 'own' }]);
    await again.close();
    await Promise.all([one, other].map(({ remove }) => remove()));
  });

  it('has its own identity, although clusters are copies of each other', async () => {
    const [one, other] = [freshDataDir(), freshDataDir()];
    for (const { place } of [one, other]) {
      await copyCluster(place.dataDir);
      await (await open(place.dataDir)).close();
    }
    const said = [one, other].map(({ place }) =>
      JSON.parse(readFileSync(join(place.dataDir, 'store.json'), 'utf8')),
    );
    expect(said[0].system).toBe(said[1].system);
    expect(said[0].store).not.toBe(said[1].store);
    writeFileSync(join(one.place.dataDir, 'store.json'), JSON.stringify(said[1]));
    await expect(open(one.place.dataDir)).rejects.toThrow('is not the one that belongs there');
    await Promise.all([one, other].map(({ remove }) => remove()));
  });
});

async function accountsIn({ db }: Store): Promise<unknown[]> {
  return (await sql`select id from accounts`.execute(db)).rows;
}
