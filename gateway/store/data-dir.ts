import { chmodSync, existsSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { makeFolder } from '../make-folder.ts';
import { type LockedDir, lockDir, lockFile } from './data-dir-lock.ts';
import { DataDirUnusable, reasonOf, StoreError } from './store-errors.ts';
import { readIdentity, removeIdentity, type StoreIdentity, writeIdentity } from './store-identity.ts';

/** A data directory that this process has locked for itself. */
export interface DataDir {
  /** Absolute path of the directory itself. */
  readonly path: string;
  /** The directory of the embedded PostgreSQL's files. */
  readonly postgres: string;
  /** The recorded identity of the database; null until the first start has completed. */
  readonly identity: StoreIdentity | null;
  /**
   * Stores the identity of the database and the state of its ledger. After the first call, a restart keeps the database
   * files.
   */
  identify(identity: StoreIdentity): void;
  /** Releases the directory. */
  release(): void;
}

/** The folder for the socket of a running process. */
export const socketFolder = 'socket';

const initialising = 'initialising';

/** Without these files the embedded PostgreSQL would create a new database over the old one, or read garbage. */
const vitalFiles = ['PG_VERSION', 'global/pg_control'] as const;

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
    makeFolder(path);
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
 * The first start copies a new cluster into the directory. If it is killed midway, it leaves an incomplete cluster without
 * any acknowledged data. A marker file records this state, and the next start begins again. Without the marker, no start
 * replaces existing files.
 */
function layOut(path: string): Pick<DataDir, 'postgres' | 'identity' | 'identify'> {
  const postgres = join(path, 'postgres');
  const marker = join(path, initialising);
  if (existsSync(marker)) {
    rmSync(postgres, { recursive: true, force: true });
    removeIdentity(path);
  }
  const identity = readIdentity(path);
  if (identity === null && !existsSync(postgres)) writeFileSync(marker, '', { mode: 0o600 });
  else refuseDamaged(postgres);
  const identify = (found: StoreIdentity): void => {
    writeIdentity(path, found);
    rmSync(marker, { force: true });
  };
  return { postgres, identity, identify };
}

function refuseDamaged(postgres: string): void {
  const missing = vitalFiles.find((file) => !existsSync(join(postgres, file)));
  if (missing === undefined) return;
  throw new Error(
    `its database is damaged: postgres/${missing} is missing. Nothing was changed; restore a backup, or choose another directory`,
  );
}

function unusable(path: string, error: unknown): DataDirUnusable {
  return new DataDirUnusable(`The data directory ${path} cannot be used: ${reasonOf(error)}.`, {
    cause: error,
  });
}
