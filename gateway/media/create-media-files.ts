import { constants, type Stats } from 'node:fs';
import { type FileHandle, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import type { Clock } from '../clock.ts';
import { makeFolder } from '../make-folder.ts';
import { typeOf } from './file-name.ts';
import type { KeptFile, MediaFiles, OpenedFile } from './media-files.ts';

export interface MediaFilesDeps {
  /** Created if missing. Processes that share it see each other's files. */
  readonly dir: string;
  /** The clock for the age of files. */
  readonly clock: Clock;
  /** At least 128 random bits in URL-safe characters. */
  readonly randomId: () => string;
}

/** A file that is not complete yet has another name. */
const unfinished = /^[A-Za-z0-9_-]{16,64}\.[a-z0-9]{2,4}\.part$/;
const privateFile = 0o600;
/** Files that are examined or deleted at the same time. */
const atOnce = 32;

/** Stores files in a directory: complete and durable when `keep` resolves, otherwise absent. */
export function createMediaFiles({ dir, clock, randomId }: MediaFilesDeps): MediaFiles {
  const inFlight = new Set<string>();
  const keep = async (extension: string, content: Buffer | Readable): Promise<KeptFile> => {
    const name = `${randomId()}.${extension}`;
    const contentType = typeOf(name);
    if (contentType === null) throw new Error(`no media file can be named ${name}`);
    const part = `${name}.part`;
    inFlight.add(part);
    try {
      makeFolder(dir);
      const bytes = await writeDurably(join(dir, part), content, clock);
      await rename(join(dir, part), join(dir, name));
      await syncDirectory(dir);
      return { name, contentType, bytes };
    } catch (error) {
      await rm(join(dir, part), { force: true }).catch(() => {});
      throw error;
    } finally {
      inFlight.delete(part);
    }
  };
  return {
    keep,
    open: async (name) => {
      const contentType = typeOf(name);
      if (contentType === null) return null;
      const handle = await unlessGone(open(join(dir, name), constants.O_RDONLY));
      return handle === null ? null : opened(handle, name, contentType);
    },
    remove: async (name) => {
      if (typeOf(name) !== null) await rm(join(dir, name), { force: true });
    },
    removeOlderThan: async (ms) => {
      const before = clock.now() - ms;
      const names = (await unlessGone(readdir(dir))) ?? [];
      const ours = names.filter(
        (name) => typeOf(name) !== null || (unfinished.test(name) && !inFlight.has(name)),
      );
      for (let at = 0; at < ours.length; at += atOnce) {
        await Promise.all(ours.slice(at, at + atOnce).map((name) => removeIfOlder(join(dir, name), before)));
      }
    },
  };
}

async function opened(handle: FileHandle, name: string, contentType: string): Promise<OpenedFile | null> {
  const facts = await handle.stat();
  if (!facts.isFile()) {
    await handle.close();
    return null;
  }
  return {
    name,
    contentType,
    bytes: facts.size,
    read: async (at, length) => {
      const buffer = Buffer.alloc(Math.max(0, Math.min(length, facts.size - at)));
      const { bytesRead } = await handle.read(buffer, 0, buffer.length, at);
      return buffer.subarray(0, bytesRead);
    },
    close: () => handle.close(),
  };
}

/** Writes a new file with the clock's time, and resolves with its length once it is on disk. */
async function writeDurably(path: string, content: Buffer | Readable, clock: Clock): Promise<number> {
  const handle = await open(path, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL, privateFile);
  try {
    await stamp(handle, clock);
    await handle.writeFile(content);
    await stamp(handle, clock);
    await handle.sync();
    return (await handle.stat()).size;
  } finally {
    await handle.close();
  }
}

/** The age of a file is measured on the gateway's clock, which may be ahead of the machine's. */
async function stamp(handle: FileHandle, clock: Clock): Promise<void> {
  const seconds = clock.now() / 1000;
  await handle.utimes(seconds, seconds);
}

/** A new name survives a crash only when the directory is on disk, too. */
async function syncDirectory(dir: string): Promise<void> {
  const handle = await open(dir, constants.O_RDONLY);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

async function removeIfOlder(path: string, beforeMs: number): Promise<void> {
  const facts: Stats | null = await unlessGone(stat(path));
  if (facts !== null && facts.mtimeMs < beforeMs) await rm(path, { force: true });
}

/** Null when the file does not exist. */
async function unlessGone<Value>(looking: Promise<Value>): Promise<Value | null> {
  try {
    return await looking;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    throw error;
  }
}
