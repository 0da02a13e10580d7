import { randomBytes } from 'node:crypto';
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeFolder } from './make-folder.ts';

/**
 * The folder where this machine keeps values that take long to compute and stay the same, beside compiled files; null where
 * nothing is kept.
 */

/** Null where nothing is kept. */
export function keptFolder(): string | null {
  return process.env.NODE_COMPILE_CACHE || null;
}

/** The value kept under a name for the same state of its sources; null when there is none. */
export function readKept(name: string, state: string): unknown {
  const folder = keptFolder();
  if (folder === null) return null;
  try {
    const kept = JSON.parse(readFileSync(join(folder, name), 'utf8')) as { state?: unknown; value?: unknown };
    return kept.state === state ? (kept.value ?? null) : null;
  } catch {
    return null;
  }
}

/** Keeps a value where that is possible. Concurrent readers never see half of it. */
export function keep(name: string, state: string, value: unknown): void {
  const folder = keptFolder();
  if (folder === null) return;
  try {
    makeFolder(folder);
    const draft = join(folder, `${name}.${randomBytes(6).toString('hex')}`);
    writeFileSync(draft, JSON.stringify({ state, value }));
    renameSync(draft, join(folder, name));
  } catch {
    // If the folder cannot be written, only time is lost.
  }
}
