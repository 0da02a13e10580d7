import { closeSync, existsSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { UsageError } from '../process/exit-codes.ts';
import { makeFolder } from '../process/make-folder.ts';

/**
 * Makes the folder of an option before anything is sent.
 * @throws UsageError when it cannot be written to
 */
export function openFolder(folder: string, option = '--out'): void {
  assertPlace(`${option} ${folder}`, () => {
    makeFolder(folder);
    const probe = join(folder, '.gatecheck-probe');
    writeFileSync(probe, '');
    rmSync(probe);
  });
}

/**
 * Tries a file that will be written at the end; one that is there stays as it is.
 * @throws UsageError when it cannot be written
 */
export function assertFile(file: string, option: string): void {
  assertPlace(`${option} ${file}`, () => {
    const isNew = !existsSync(file);
    closeSync(openSync(file, 'a'));
    if (isNew) rmSync(file);
  });
}

/**
 * Runs a file operation.
 * @throws UsageError when it fails
 */
export function assertPlace(named: string, work: () => void): void {
  try {
    work();
  } catch (error) {
    throw new UsageError(`${named} cannot be written to: ${(error as Error).message}`);
  }
}

/** A folder as a reader finds it: from here if it is below, else in full. */
export function shownPath(folder: string): string {
  const path = relative(process.cwd(), resolve(folder)) || '.';
  return path.startsWith('..') ? resolve(folder) : path;
}
