import { constants, readdirSync } from 'node:fs';
import { type FileHandle, open, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { makeFolder } from '../make-folder.ts';
import { lockDir } from '../store/data-dir-lock.ts';
import { GroupCommit } from '../store/group-commit.ts';
import { DataDirLocked } from '../store/store-errors.ts';

/** Texts of this process that are durable on its machine. */
export interface SpoolFile {
  /** What processes that are gone left here, without those lines that a crash cut. */
  readonly left: readonly string[];
  /** Resolves when the text is on the disk. Rejects when the file would be too long, or the disk refuses. */
  append(text: string): Promise<void>;
  /** Empties the file of all that was appended before. */
  clear(): Promise<void>;
  close(): Promise<void>;
}

export interface SpoolPlace {
  readonly dir: string;
  /** The database that the texts are meant for: no other one finds them. */
  readonly storeId: string;
  readonly mostBytes: number;
}

class SpoolFull extends Error {
  override name = 'SpoolFull';
}

/** More processes than share a directory. */
const maxProcesses = 64;
const fileName = 'settlements.log';
const privateFile = 0o600;
const batchMax = 1_000;
/** The file takes so much of the disk from the start: there is room for a thousand texts where all else is full. */
const reservedBytes = 1024 * 1024;

/**
 * Opens the first file of the directory that no other process has. The operating system frees the file of a process
 * that ends, however it ends: the next one goes on with it, and takes over what other such files hold.
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
    // A line that a crash cut has no end, and the next one must not continue it.
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

/** Makes this the length of the texts. What is reserved behind them holds zeros. */
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
    // A disk refuses all of them alike; below the bound some may have room.
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

/** A line that a crash cut does not have the sum of its text. */
function textIn(line: string): string[] {
  const [sum = '', text = ''] = [line.slice(0, 8), line.slice(9)];
  return text !== '' && sum === sumOf(text) ? [text] : [];
}

function sumOf(text: string): string {
  return crc32(text).toString(16).padStart(8, '0');
}
