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

// For gateways that start with a new database each time. To create a cluster and run the migrations takes seconds; to write a
// copy takes under 0.1 s. So one cluster is created and kept.

/** Where a package ships a cluster with its own migrations, made at build time. */
const shipped = fileURLToPath(new URL('./kept/cluster', import.meta.url));

/**
 * Fills `postgresDir`, which must not exist, with an unused cluster that has every table. The first call creates the cluster
 * in `keptIn`; later calls copy it. A kept file is never trusted: if it is damaged, or another user could have written it,
 * the cluster is created again. All such clusters have the same system identifier.
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

/** Stores the packed cluster in `kept` if the folder is writable, and returns it. */
function keepCluster(packed: Buffer, kept: string): Buffer {
  const draft = `${kept}.${randomBytes(6).toString('hex')}`;
  try {
    mkdirSync(dirname(kept), { recursive: true, mode: 0o700 });
    writeFileSync(draft, packed, { mode: 0o600 });
    // If two processes create one at once, the last file wins; either is valid.
    renameSync(draft, kept);
  } catch {
    // If the folder is not writable, the next call just takes longer.
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

/** Null if the file is missing or damaged. */
function readWhole(path: string): Buffer | null {
  try {
    const packed = readFileSync(path);
    return isWhole(packed) ? packed : null;
  } catch {
    return null;
  }
}

/** Whether only this user can have written the file. */
function isOurs(path: string): boolean {
  try {
    const stats = lstatSync(path);
    const isOwn = process.geteuid === undefined || stats.uid === process.geteuid();
    return stats.isFile() && isOwn && (stats.mode & 0o022) === 0;
  } catch {
    return false;
  }
}

/** Names a cluster by what it depends on: another PGlite version or other migrations get their own file. */
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
