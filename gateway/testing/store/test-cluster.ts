import { randomBytes } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openDataDir } from '../../store/data-dir.ts';
import { startEmbeddedServer } from '../../store/embedded-server.ts';

// For tests only. Making a new cluster takes seconds, copying one a tenth of a second: so one is made and kept
// beside the installed packages. It holds no tables of ours, so a change of the migrations does not age it.

const modules = new URL('../../../node_modules/', import.meta.url);

/** Fills an empty directory with a cluster as a first start leaves it, but without any migration. */
export async function copyCluster(dataDir: string): Promise<void> {
  const cache = fileURLToPath(new URL('.cache/gatecheck/', modules));
  const kept = join(cache, `cluster-${pgliteVersion()}`);
  if (!existsSync(kept)) {
    await keepCluster(cache, kept);
  }
  cpSync(kept, dataDir, { recursive: true });
}

async function keepCluster(cache: string, kept: string): Promise<void> {
  mkdirSync(cache, { recursive: true });
  const made = join(cache, `making-${randomBytes(6).toString('hex')}`);
  await makeCluster(made);
  try {
    renameSync(made, kept);
  } catch (error) {
    // Another test was quicker.
    rmSync(made, { recursive: true });
    if (!existsSync(kept)) {
      throw error;
    }
  }
}

async function makeCluster(dataDir: string): Promise<void> {
  const socketDir = mkdtempSync(join(tmpdir(), 'gatecheck-test-'));
  const dir = openDataDir(dataDir);
  let failure: Error | null = null;
  const server = await startEmbeddedServer(
    { postgresDir: dir.postgres, socketPath: join(socketDir, 's') },
    (error) => {
      failure = error;
    },
  );
  await server.close();
  dir.release();
  // The database says what it is when it has its tables; until then a start would begin again.
  rmSync(join(dataDir, 'initialising'));
  rmSync(socketDir, { recursive: true });
  if (failure !== null) {
    throw failure;
  }
}

function pgliteVersion(): string {
  const manifest: { version: string } = JSON.parse(
    readFileSync(new URL('@electric-sql/pglite/package.json', modules), 'utf8'),
  );
  return manifest.version;
}
