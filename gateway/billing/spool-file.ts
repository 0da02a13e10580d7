import { constants, readdirSync } from 'node:fs';
import { type FileHandle, open, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { makeFolder } from '../make-folder.ts';
import { lockDir } from '../store/data-dir-lock.ts';
import { GroupCommit } from '../store/group-commit.ts';
import { DataDirLocked } from '../store/store-errors.ts';

/** Texts of this process that are durable on the local disk. */
export interface SpoolFile {
  /** Texts left by processes that are gone, without lines that a crash truncated. */
  readonly left: readonly string[];
  /** Resolves when the text is on disk. Rejects when the file would get too long, or a disk write fails. */
  append(text: string): Promise<void>;
  /** Removes all texts appended so far. */
  clear(): Promise<void>;
  close(): Promise<void>;
}

export interface SpoolPlace {
  readonly dir: string;
  /** The database that the texts are meant for. Only processes on this database read them. */
  readonly storeId: string;
  readonly mostBytes: number;
}

class SpoolFull extends Error {
  override name = 'SpoolFull';
}

/** More than the number of processes that share a directory. */
const maxProcesses = 64;
const fileName = 'settlements.log';
const privateFile = 0o600;
const batchMax = 1_000;
/** Disk space reserved from the start: room for a thousand texts even when the disk is full. */
const reservedBytes = 1024 * 1024;

/**
 * Opens the first file of the directory that no other process has locked. When a process ends, the operating system releases
 * its lock. The next process continues that file, and takes over the texts of other abandoned files.
 */
export async function openSpoolFile(place: SpoolPlace): Promise<SpoolFile> {
  makeFolder(place.dir);
  const known = readdirSync(place.dir).filter((name) => name.startsWith(`${place.storeId}-`));
  const names = new Set([
    ...known,
    ...Array.from({ length: maxProcesses }, (_, n) => `${place.storeId}-${n}`),
  ]);
  let own: Locked | null = null;
  for (const name of names) {
    if (own !== null && !known.includes(name)) break;
    const locked = await lock(join(place.dir, name));
    if (locked === null) continue;
    if (own === null) own = locked;
    else await takeOver(own, locked);
  }
  if (own === null) throw new Error(`more than ${maxProcesses} processes use ${place.dir}`);
  return fileOf(own, place.mostBytes);
}

interface Locked {
  readonly handle: FileHandle;
  readonly left: string[];
  bytes: number;
  release(): void;
}

/** Null where another process has the file. */
async function lock(dir: string): Promise<Locked | null> {
  makeFolder(dir);
  try {
    const { release } = lockDir(dir);
    const path = join(dir, fileName);
    const handle = await open(path, constants.O_RDWR | constants.O_CREAT, privateFile);
    const all = await readFile(path);
    // A line truncated by a crash has no line end, and the next line must not continue it.
    const bytes = all.lastIndexOf('\n') + 1;
    const file = { handle, bytes };
    await cutTo(file, bytes);
    return { ...file, left: all.toString('utf8', 0, bytes).split('\n').flatMap(textIn), release };
  } catch (error) {
    if (error instanceof DataDirLocked) return null;
    throw error;
  }
}

async function takeOver(own: Locked, other: Locked): Promise<void> {
  if (other.left.length > 0) await write(own, other.left);
  own.left.push(...other.left);
  await cutTo(other, 0);
  await other.handle.close();
  other.release();
}

/** Sets the length of the texts. The reserved space after them holds zeros. */
async function cutTo(file: Pick<Locked, 'handle'> & { bytes: number }, bytes: number): Promise<void> {
  await file.handle.truncate(Math.max(bytes, reservedBytes));
  const zeros = Buffer.alloc(Math.max(0, reservedBytes - bytes));
  for (let at = 0; at < zeros.length; )
    at += (await file.handle.write(zeros, at, zeros.length - at, bytes + at)).bytesWritten;
  await file.handle.datasync();
  file.bytes = bytes;
}

/** Durable when resolved; otherwise the file is as it was. */
async function write(file: Locked, texts: readonly string[]): Promise<void> {
  const bytes = Buffer.from(texts.map(lineOf).join(''));
  try {
    for (let at = 0; at < bytes.length; )
      at += (await file.handle.write(bytes, at, bytes.length - at, file.bytes + at)).bytesWritten;
    await file.handle.datasync();
    file.bytes += bytes.length;
  } catch (error) {
    await cutTo(file, file.bytes);
    throw error;
  }
}

function fileOf(file: Locked, mostBytes: number): SpoolFile {
  /** Texts to append; null empties the file. */
  const changes = new GroupCommit<string | null, null>({
    batchMax,
    commit: async (all) => {
      if (all.includes(null)) await cutTo(file, 0);
      const texts = all.slice(all.lastIndexOf(null) + 1).filter((text) => text !== null);
      const length = texts.reduce((sum, text) => sum + Buffer.byteLength(lineOf(text)), 0);
      if (file.bytes + length > mostBytes)
        throw new SpoolFull(`the spool holds ${file.bytes} of ${mostBytes} bytes`);
      if (texts.length > 0) await write(file, texts);
      return all.map(() => null);
    },
    // A disk error affects all texts alike. When the file is full, a shorter batch may still fit.
    isConnectionFailure: (error) => !(error instanceof SpoolFull),
  });
  return {
    left: file.left,
    append: async (text) => {
      await changes.add(text);
    },
    clear: async () => {
      await changes.add(null);
    },
    close: async () => {
      await changes.close();
      await file.handle.close();
      file.release();
    },
  };
}

function lineOf(text: string): string {
  return `${sumOf(text)} ${text}\n`;
}

/** Checks the checksum, which a line truncated by a crash does not match. */
function textIn(line: string): string[] {
  const [sum = '', text = ''] = [line.slice(0, 8), line.slice(9)];
  return text !== '' && sum === sumOf(text) ? [text] : [];
}

function sumOf(text: string): string {
  return crc32(text).toString(16).padStart(8, '0');
}
