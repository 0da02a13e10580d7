import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative, resolve, sep } from 'node:path';
import { zstdCompressSync, zstdDecompressSync } from 'node:zlib';

// A cluster packed in one file, which is faster to read and check than its 500 files. The file begins with a digest of the
// rest. The rest is compressed: the length of an index, the index, and the file contents in order.

const digestBytes = 32;
const lengthBytes = 4;
/** Far above the size of any cluster that this program makes. */
const mostBytes = 256 * 1024 * 1024;

interface Index {
  readonly folders: readonly string[];
  /** Paths and sizes, in the order of the contents. */
  readonly files: readonly (readonly [string, number])[];
}

/** Packs all files and folders below `dir` into one buffer. */
export function packCluster(dir: string): Buffer {
  const entries = readdirSync(dir, { recursive: true, withFileTypes: true }).map((entry) => ({
    path: relative(dir, join(entry.parentPath, entry.name)).replaceAll(sep, '/'),
    isFile: entry.isFile(),
  }));
  const contents = entries
    .filter(({ isFile }) => isFile)
    .map(({ path }) => ({ path, bytes: readFileSync(join(dir, path)) }));
  const index: Index = {
    folders: entries.filter(({ isFile }) => !isFile).map(({ path }) => path),
    files: contents.map(({ path, bytes }) => [path, bytes.length]),
  };
  const indexBytes = Buffer.from(JSON.stringify(index));
  const length = Buffer.alloc(lengthBytes);
  length.writeUInt32BE(indexBytes.length);
  const rest = zstdCompressSync(Buffer.concat([length, indexBytes, ...contents.map(({ bytes }) => bytes)]));
  return Buffer.concat([digestOf(rest), rest]);
}

/** Whether the buffer is complete output of `packCluster`. */
export function isWhole(packed: Buffer): boolean {
  return packed.subarray(0, digestBytes).equals(digestOf(packed.subarray(digestBytes)));
}

/** Unpacks a valid packed cluster into `dir`, which must not exist. */
export function unpackCluster(packed: Buffer, dir: string): void {
  const all = zstdDecompressSync(packed.subarray(digestBytes), { maxOutputLength: mostBytes });
  let at = lengthBytes + all.readUInt32BE(0);
  const { folders, files } = JSON.parse(all.toString('utf8', lengthBytes, at)) as Index;
  mkdirSync(dir, { mode: 0o700 });
  for (const folder of folders) mkdirSync(placeIn(dir, folder), { recursive: true, mode: 0o700 });
  for (const [path, size] of files) {
    writeFileSync(placeIn(dir, path), all.subarray(at, at + size), { mode: 0o600 });
    at += size;
  }
}

function placeIn(dir: string, path: string): string {
  const place = resolve(dir, path);
  if (!place.startsWith(resolve(dir) + sep)) throw new Error(`a packed cluster has the path ${path}`);
  return place;
}

function digestOf(bytes: Buffer): Buffer {
  return createHash('sha256').update(bytes).digest();
}
