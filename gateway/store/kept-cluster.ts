import { randomBytes } from 'node:crypto';
import { constants, cpSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';

// For gateways that start with a new database each time. To make a cluster takes seconds, to copy one a tenth of a
// second: so one is made and kept. It holds no tables of ours, so a change of the migrations does not age it.

/**
 * Fills `postgresDir`, which must not be there, with a cluster that nobody has used. `keptIn` is where the first call makes
 * it, and every other one finds it. All such clusters have the same system identifier.
 */
export async function takeKeptCluster(postgresDir: string, keptIn: string): Promise<void> {
  const kept = join(keptIn, `postgres-${pgliteVersion()}`);
  if (!existsSync(kept)) await keepCluster(keptIn, kept);
  cpSync(kept, postgresDir, { recursive: true, mode: constants.COPYFILE_FICLONE });
}

async function keepCluster(folder: string, kept: string): Promise<void> {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const draft = join(folder, `making-${randomBytes(6).toString('hex')}`);
  try {
    const database = await PGlite.create(draft);
    await database.close();
    renameSync(draft, kept);
  } catch (error) {
    rmSync(draft, { recursive: true, force: true });
    // Another process was quicker.
    if (!existsSync(kept)) throw error;
  }
}

function pgliteVersion(): string {
  const entry = createRequire(import.meta.url).resolve('@electric-sql/pglite');
  const { version } = JSON.parse(readFileSync(join(dirname(entry), '..', 'package.json'), 'utf8')) as {
    version: string;
  };
  return version;
}
