import { cpSync, existsSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { makeFolder } from '../make-folder.ts';
import { openDataDir, socketFolder } from './data-dir.ts';
import { lockFile, pidFileName } from './data-dir-lock.ts';
import { StoreError } from './store-errors.ts';

/**
 * Files that belong to a running process. The lock file is not among them: this process holds it, and it marks the directory
 * as a data directory.
 */
const ofTheProcess = new Set([pidFileName, socketFolder]);

/**
 * Copies the data directory of a stopped gateway: database, files and the identity of the database. The copy appears complete
 * or not at all, and is itself a data directory.
 * @throws StoreError if `from` is incomplete, in use or no data directory, or if `to` exists
 */
export function copyDataDir(from: string, to: string): void {
  const [source, target] = [resolve(from), resolve(to)];
  if (!existsSync(join(source, lockFile)))
    throw new StoreError(`${source} is no data directory of a gateway.`);
  if (existsSync(target) && readdirSync(target).length > 0)
    throw new StoreError(`${target} exists already; a copy needs a new directory.`);
  const dir = openDataDir(source);
  try {
    if (dir.identity === null) throw new StoreError(`No gateway has ever started with ${source}.`);
    copyWhole(source, target);
  } finally {
    dir.release();
  }
}

function copyWhole(source: string, target: string): void {
  const copying = join(dirname(target), `.${basename(target)}.copying`);
  rmSync(copying, { recursive: true, force: true });
  makeFolder(copying);
  const isKept = (path: string): boolean => dirname(path) !== source || !ofTheProcess.has(basename(path));
  cpSync(source, copying, { recursive: true, preserveTimestamps: true, filter: isKept });
  rmSync(target, { recursive: true, force: true });
  renameSync(copying, target);
}
