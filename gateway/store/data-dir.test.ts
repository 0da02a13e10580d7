import { existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { freshDataDir } from '../testing/store/test-stores.ts';
import { openDataDir } from './data-dir.ts';
import { DataDirLocked, DataDirUnusable } from './store-errors.ts';

describe('openDataDir', () => {
  let root: string;
  let remove: () => Promise<void>;

  beforeEach(() => {
    const fresh = freshDataDir();
    root = fresh.place.dataDir;
    remove = fresh.remove;
  });

  afterEach(() => remove());

  it('creates the directory with access for its owner only', () => {
    const path = join(root, 'deep', 'data');
    openDataDir(path).release();
    expect(statSync(path).mode & 0o777).toBe(0o700);
  });

  it.runIf(process.platform === 'linux')('rejects a path where no directory can be created', () => {
    expect(() => openDataDir('/proc/gatecheck/data')).toThrow(DataDirUnusable);
  });

  it('rejects a locked directory until its release, and names directory and process', () => {
    const held = openDataDir(root);
    expect(() => openDataDir(root)).toThrow(new DataDirLocked(root, process.pid));
    expect(new DataDirLocked(root, process.pid).message).toBe(
      `The data directory ${root} is in use by another process (pid ${process.pid}); stop it or choose another directory.`,
    );
    held.release();
    openDataDir(root).release();
  });

  it('rejects a directory with foreign files and leaves the files alone', () => {
    const file = join(root, 'thesis.txt');
    writeFileSync(file, 'years of work');
    expect(() => openDataDir(root)).toThrow(DataDirUnusable);
    expect(() => openDataDir(root)).toThrow(
      `${root} cannot be used: it is not empty and was not made by Gatecheck`,
    );
    expect(readFileSync(file, 'utf8')).toBe('years of work');
  });

  it('rejects a path that is a file or lies below a file', () => {
    const file = join(root, 'file');
    writeFileSync(file, '');
    expect(() => openDataDir(file)).toThrow(DataDirUnusable);
    expect(() => openDataDir(join(file, 'data'))).toThrow(DataDirUnusable);
  });

  it('starts over only after an incomplete first start', () => {
    const interrupted = openDataDir(root);
    mkdirSync(interrupted.postgres);
    interrupted.release();

    const second = openDataDir(root);
    expect(existsSync(second.postgres)).toBe(false);
    makeCluster(second);
    second.identify(identity);
    second.release();

    const third = openDataDir(root);
    expect(existsSync(third.postgres)).toBe(true);
    expect(third.identity).toEqual(identity);
    third.release();
  });

  it.each(['PG_VERSION', 'global/pg_control', ''])(
    'rejects a directory whose database has lost %j, and leaves the rest alone',
    (lost) => {
      const first = openDataDir(root);
      makeCluster(first);
      first.identify(identity);
      first.release();
      rmSync(join(first.postgres, lost), { recursive: true });
      for (const _ of ['once', 'twice']) {
        expect(() => openDataDir(root)).toThrow(DataDirUnusable);
        expect(() => openDataDir(root)).toThrow(`postgres/${lost || 'PG_VERSION'} is missing`);
      }
      expect(existsSync(join(root, 'store.json'))).toBe(true);
    },
  );

  it('rejects a directory whose database identity is damaged', () => {
    const first = openDataDir(root);
    makeCluster(first);
    first.identify(identity);
    first.release();
    writeFileSync(join(root, 'store.json'), '{"system":');
    expect(() => openDataDir(root)).toThrow('its store.json is damaged');
  });
});

const identity = { system: '7654321', store: 'own', ledger: { last: '0', entries: '0', gained_pico: '0' } };

function makeCluster({ postgres }: { readonly postgres: string }): void {
  mkdirSync(join(postgres, 'global'), { recursive: true });
  for (const file of ['PG_VERSION', 'global/pg_control']) writeFileSync(join(postgres, file), 'x');
}
