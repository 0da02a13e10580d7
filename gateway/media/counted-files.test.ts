import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterEach, expect, it } from 'vitest';
import { TestClock } from '../clock.ts';
import { countedFiles, type FileStep } from './counted-files.ts';
import { createMediaFiles } from './create-media-files.ts';
import type { MediaFiles } from './media-files.ts';

const folder = mkdtempSync(join(tmpdir(), 'counted-files-'));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const name = `${'a'.repeat(22)}.png`;
const parts = { clock: new TestClock(), randomId: () => 'a'.repeat(22) };

function counting(files: MediaFiles): { readonly files: MediaFiles; readonly failed: FileStep[] } {
  const failed: FileStep[] = [];
  return { files: countedFiles(files, (step) => failed.push(step)), failed };
}

it('counts each step that the file store fails, and passes the error on', async () => {
  // A file where the directory should be.
  const dir = join(folder, 'media');
  writeFileSync(dir, '');
  const { files, failed } = counting(createMediaFiles({ dir, ...parts }));
  await expect(files.keep('png', Buffer.from('x'))).rejects.toThrow();
  await expect(files.keep('png', Readable.from([Buffer.from('x')]))).rejects.toThrow();
  await expect(files.open(name)).rejects.toThrow();
  await expect(files.remove(name)).rejects.toThrow();
  await expect(files.removeOlderThan(1)).rejects.toThrow();
  expect(failed).toEqual(['store', 'store', 'open', 'remove', 'remove']);
});

it('counts a failed read of an open file', async () => {
  const opened = { name, contentType: 'image/png', bytes: 3, close: async () => {} };
  const place: MediaFiles = {
    ...createMediaFiles({ dir: folder, ...parts }),
    open: async () => ({ ...opened, read: () => Promise.reject(new Error('gone')) }),
  };
  const { files, failed } = counting(place);
  const file = await files.open(name);
  await expect(file?.read(0, 3)).rejects.toThrow('gone');
  expect(failed).toEqual(['read']);
});

it('counts no successful steps, missing files or broken streams', async () => {
  const { files, failed } = counting(createMediaFiles({ dir: join(folder, 'good'), ...parts }));
  expect(await files.open(name)).toBeNull();
  await files.remove(name);
  async function* breaking(): AsyncGenerator<Buffer> {
    yield Buffer.from('x');
    throw new Error('the upstream hung up');
  }
  await expect(files.keep('png', Readable.from(breaking()))).rejects.toThrow('the upstream hung up');
  await files.keep('png', Buffer.from('abc'));
  const file = await files.open(name);
  expect((await file?.read(0, 3))?.toString()).toBe('abc');
  await file?.close();
  expect(failed).toEqual([]);
});
