import { chmodSync, existsSync, mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { type LockedDir, lockDir, lockFile } from './data-dir-lock.ts';
import { DataDirUnusable, reasonOf, StoreError } from './store-errors.ts';

/** A data directory that this process has locked for itself. */
export interface DataDir {
  /** Absolute path of the directory itself. */
  readonly path: string;
  /** The directory of the embedded PostgreSQL's files. */
  readonly postgres: string;
  /** Call it when the database has answered for the first time: from then on a restart keeps its files. */
  initialised(): void;
  /** Releases the directory. */
  release(): void;
}

const initialising = 'initialising';

/**
 * Creates the directory if it does not exist (mode 0700), and locks it for this process.
 *
 * Throws DataDirLocked if another process has locked it. Throws DataDirUnusable if it cannot be written, or
 * contains files that this program did not create.
 */
export function openDataDir(dataDir: string): DataDir {
  const path = resolve(dataDir);
  claim(path);
  const lock = lockOrExplain(path);
  try {
    return { ...layOut(path), path, release: () => lock.release() };
  } catch (error) {
    lock.release();
    throw unusable(path, error);
  }
}

function claim(path: string): void {
  try {
    mkdirSync(path, { recursive: true, mode: 0o700 });
    if (!statSync(path).isDirectory()) {
      throw new Error('it is not a directory');
    }
    const entries = readdirSync(path);
    if (entries.length > 0 && !entries.includes(lockFile)) {
      throw new Error('it is not empty and was not made by Gatecheck');
    }
    chmodSync(path, 0o700);
  } catch (error) {
    throw unusable(path, error);
  }
}

function lockOrExplain(path: string): LockedDir {
  try {
    return lockDir(path);
  } catch (error) {
    throw error instanceof StoreError ? error : unusable(path, error);
  }
}

/**
 * The first start copies a whole new cluster into the directory. If it is killed midway, it leaves an incomplete
 * cluster that acknowledged nothing. A marker file says so, and the next start begins again.
 */
function layOut(path: string): Pick<DataDir, 'postgres' | 'initialised'> {
  const postgres = join(path, 'postgres');
  const marker = join(path, initialising);
  if (existsSync(marker)) {
    rmSync(postgres, { recursive: true, force: true });
  }
  if (!existsSync(postgres)) {
    writeFileSync(marker, '', { mode: 0o600 });
  }
  return { postgres, initialised: () => rmSync(marker, { force: true }) };
}

function unusable(path: string, error: unknown): DataDirUnusable {
  return new DataDirUnusable(`The data directory ${path} cannot be used: ${reasonOf(error)}.`, {
    cause: error,
  });
}
