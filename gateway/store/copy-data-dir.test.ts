import { cpSync, existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { freshCluster, silentLog } from '../testing/store/test-stores.ts';
import { copyDataDir } from './copy-data-dir.ts';
import { openStore } from './store.ts';
import { DataDirLocked } from './store-errors.ts';

let dataDir: string;
let backup: string;
let remove: () => Promise<void>;

beforeEach(async () => {
  const fresh = await freshCluster();
  dataDir = fresh.place.dataDir;
  backup = `${dataDir}-backup`;
  remove = fresh.remove;
});

afterEach(async () => {
  rmSync(backup, { recursive: true, force: true });
  await remove();
});

it('restores the database and files after the original was lost', async () => {
  const store = await openStore({ dataDir, log: silentLog });
  await sql`insert into accounts (id) values ('kept')`.execute(store.db);
  await store.close();
  mkdirSync(join(dataDir, 'media'));
  writeFileSync(join(dataDir, 'media', 'one.png'), 'a picture');
  copyDataDir(dataDir, backup);
  rmSync(join(dataDir, 'postgres', 'PG_VERSION'));
  await expect(openStore({ dataDir, log: silentLog })).rejects.toThrow('PG_VERSION is missing');

  const restored = `${dataDir}-restored`;
  try {
    copyDataDir(backup, restored);
    expect(readdirSync(join(restored, 'media'))).toEqual(['one.png']);
    const again = await openStore({ dataDir: restored, log: silentLog });
    expect((await sql`select id from accounts`.execute(again.db)).rows).toEqual([{ id: 'kept' }]);
    await again.close();
  } finally {
    rmSync(restored, { recursive: true, force: true });
  }
});

it('refuses to copy a store in use or damaged, or onto an existing directory', async () => {
  const store = await openStore({ dataDir, log: silentLog });
  expect(() => copyDataDir(dataDir, backup)).toThrow(DataDirLocked);
  await store.close();
  mkdirSync(backup);
  writeFileSync(join(backup, 'thesis.txt'), 'years of work');
  expect(() => copyDataDir(dataDir, backup)).toThrow(`${backup} exists already`);
  rmSync(backup, { recursive: true });
  expect(() => copyDataDir(`${dataDir}-nowhere`, backup)).toThrow('is no data directory');
  expect(existsSync(`${dataDir}-nowhere`)).toBe(false);

  const damaged = `${dataDir}-damaged`;
  try {
    cpSync(dataDir, damaged, { recursive: true });
    rmSync(join(damaged, 'postgres', 'global', 'pg_control'));
    expect(() => copyDataDir(damaged, backup)).toThrow('global/pg_control is missing');
    expect(existsSync(backup)).toBe(false);
  } finally {
    rmSync(damaged, { recursive: true, force: true });
  }
});
