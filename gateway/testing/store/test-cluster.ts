import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openDataDir } from '../../store/data-dir.ts';
import { takeKeptCluster } from '../../store/kept-cluster.ts';

// For tests only.

const cache = fileURLToPath(new URL('../../../node_modules/.cache/gatecheck/', import.meta.url));

/** Fills an empty directory with a cluster that has every table and no row. The directory records no identity. */
export async function copyCluster(dataDir: string): Promise<void> {
  const dir = openDataDir(dataDir);
  await takeKeptCluster(dir.postgres, cache);
  dir.release();
  // The identity is recorded once the database has its tables; before that a start would begin again.
  rmSync(join(dataDir, 'initialising'));
}
