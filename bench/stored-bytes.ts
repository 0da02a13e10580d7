import { readdirSync, statSync } from 'node:fs';
import { join, sep } from 'node:path';

/**
 * Bytes of the files below a directory, without the log of a database, which is written over again and again: 0 without a
 * directory, NaN where it cannot be read.
 */
export function storedBytes(dir: string | null): number {
  if (dir === null) return 0;
  try {
    return readdirSync(dir, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && !entry.parentPath.split(sep).includes('pg_wal'))
      .reduce((sum, { parentPath, name }) => sum + sizeOf(join(parentPath, name)), 0);
  } catch {
    return Number.NaN;
  }
}

/** Files come and go while they are counted. */
function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}
