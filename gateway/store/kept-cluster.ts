import { createHash, randomBytes } from 'node:crypto';
import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isWhole, packCluster, unpackCluster } from './cluster-file.ts';
import { makeNewCluster } from './new-cluster.ts';

// For gateways that start with a new database each time. To make a cluster and run the migrations takes seconds, to write
// a copy of it less than a tenth of one: so one is made and kept.

/** Where a package brings the cluster of its own migrations, made when it was built. */
const shipped = fileURLToPath(new URL('./kept/cluster', import.meta.url));

/**
 * Fills `postgresDir`, which must not be there, with a cluster that has every table and that nobody has used. `keptIn` is
 * where the first call makes it, and every other one finds it. What is found there is never trusted: a file that is
 * damaged, or that somebody else could have written, is made anew. All such clusters have the same system identifier.
 */
export async function takeKeptCluster(
  postgresDir: string,
  keptIn: string,
  make: () => Promise<Buffer> = makePacked,
): Promise<void> {
  unpackCluster(readWhole(shipped) ?? (await ownCluster(keptIn, make)), postgresDir);
}

async function ownCluster(keptIn: string, make: () => Promise<Buffer>): Promise<Buffer> {
  const kept = join(keptIn, clusterName());
  return (isOurs(kept) ? readWhole(kept) : null) ?? keepCluster(await make(), kept);
}

/** Keeps what was made in `kept`, where that can be written, and returns it. */
function keepCluster(packed: Buffer, kept: string): Buffer {
  const draft = `${kept}.${randomBytes(6).toString('hex')}`;
  try {
    mkdirSync(dirname(kept), { recursive: true, mode: 0o700 });
    writeFileSync(draft, packed, { mode: 0o600 });
    // Where two processes made it at once, the last one stays: either will do.
    renameSync(draft, kept);
  } catch {
    // A folder that cannot be written only costs time.
    if (existsSync(draft)) rmSync(draft);
  }
  return packed;
}

/** Makes the cluster of these migrations, packed. */
export async function makePacked(): Promise<Buffer> {
  const folder = mkdtempSync(join(tmpdir(), 'gatecheck-cluster-'));
  try {
    const dir = join(folder, 'postgres');
    await makeNewCluster({ dir, forCopies: true });
    return packCluster(dir);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Null when it is not there, or damaged. */
function readWhole(path: string): Buffer | null {
  try {
    const packed = readFileSync(path);
    return isWhole(packed) ? packed : null;
  } catch {
    return null;
  }
}

/** Whether this user alone can have written the file. */
function isOurs(path: string): boolean {
  try {
    const stats = lstatSync(path);
    const isOwn = process.geteuid === undefined || stats.uid === process.geteuid();
    return stats.isFile() && isOwn && (stats.mode & 0o022) === 0;
  } catch {
    return false;
  }
}

/** Names what goes into a cluster: another PGlite or other migrations have a file of their own. */
export function clusterName(): string {
  const hash = createHash('sha256');
  const migrations = fileURLToPath(new URL('./migrations/', import.meta.url));
  const sources = readdirSync(migrations)
    .toSorted()
    .map((file) => join(migrations, file));
  for (const name of ['migrations', 'make-cluster', 'cluster-file'])
    sources.push(fileURLToPath(import.meta.url).replace(/kept-cluster(?=\.\w+$)/, name));
  for (const source of sources) hash.update(`${basename(source)}\0`).update(readFileSync(source));
  return `cluster-${pgliteVersion()}-${hash.digest('hex').slice(0, 16)}`;
}

function pgliteVersion(): string {
  const entry = createRequire(import.meta.url).resolve('@electric-sql/pglite');
  const { version } = JSON.parse(readFileSync(join(dirname(entry), '..', 'package.json'), 'utf8')) as {
    version: string;
  };
  return version;
}
