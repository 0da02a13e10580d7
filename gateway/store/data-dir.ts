import { chmodSync, existsSync, mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { type LockedDir, lockDir, lockFile } from './data-dir-lock.ts';
import { DataDirUnusable, reasonOf, StoreError } from './store-errors.ts';

/** A data directory that this process holds alone. */
export interface DataDir {
  /** Absolute path of the directory itself. */
  readonly path: string;
  /** Where the embedded PostgreSQL keeps its files. */
  readonly postgres: string;
  /** To be called when the database answered for the first time: from now on a restart keeps its files. */
  initialised(): void;
  /** Gives the directory back. */
  release(): void;
}

const initialising = 'initialising';

/**
 * Makes the directory if need be (mode 0700) and takes it for this process alone.
 *
 * Throws DataDirLocked when another process holds it, DataDirUnusable when it cannot be written or holds
 * files that this program did not put there.
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
 * The first start copies a whole new cluster into place. Killed in the middle of that, it leaves half of one,
 * which acknowledged nothing: the marker file says so, and the next start begins again.
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
