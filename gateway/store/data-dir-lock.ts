import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { DataDirLocked } from './store-errors.ts';

/** The file whose lock is the directory's lock. Its presence also marks a data directory of this program. */
export const lockFile = 'gatecheck.lock.db';

/** The file with the process id of the lock's owner. */
export const pidFileName = 'gatecheck.pid';
const sqliteBusy = 5;

/** A held lock. */
export interface LockedDir {
  release(): void;
}

/**
 * Takes the exclusive lock on a directory. Node has no file locks, but SQLite does. An open exclusive transaction is a lock
 * that the operating system frees whenever the process ends. So no lock is ever stale. Throws DataDirLocked if another
 * process has the lock.
 */
export function lockDir(dir: string): LockedDir {
  const pidFile = join(dir, pidFileName);
  const database = new DatabaseSync(join(dir, lockFile), { timeout: 0 });
  try {
    database.exec('BEGIN EXCLUSIVE');
    writeFileSync(pidFile, `${process.pid}\n`, { mode: 0o600 });
  } catch (error) {
    database.close();
    throw isBusy(error) ? new DataDirLocked(dir, readPid(pidFile)) : error;
  }
  return {
    release: () => {
      rmSync(pidFile, { force: true });
      database.close();
    },
  };
}

function isBusy(error: unknown): boolean {
  return error instanceof Error && 'errcode' in error && error.errcode === sqliteBusy;
}

/** The pid is only for the message: the lock alone decides whether the directory is free. */
function readPid(pidFile: string): number | null {
  try {
    const pid = Number.parseInt(readFileSync(pidFile, 'utf8'), 10);
    return Number.isSafeInteger(pid) ? pid : null;
  } catch {
    return null;
  }
}
