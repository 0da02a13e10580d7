import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { TestClock } from '../clock.ts';
import { createMediaFiles } from './create-media-files.ts';
import type { MediaFiles } from './media-files.ts';

describe('kept files', () => {
  let root: string;
  let dir: string;
  let files: MediaFiles;
  const clock = new TestClock();
  let count = 0;
  const randomId = (): string => {
    count += 1;
    return `r4nd0m-letters-${String(count).padStart(3, '0')}`;
  };

  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), 'media-'));
    dir = join(root, 'data', 'media');
    files = createMediaFiles({ dir, clock, randomId });
  });
  afterEach(() => rm(root, { recursive: true }));

  it('are stored unchanged under a random name whose extension gives the type', async () => {
    const picture = await files.keep('png', Buffer.from('a picture'));
    const song = await files.keep('mp3', Readable.from([Buffer.from('la '), Buffer.from('la')]));
    expect([picture, song]).toEqual([
      { name: expect.stringMatching(/^r4nd0m-letters-\d{3}\.png$/), contentType: 'image/png', bytes: 9 },
      { name: expect.stringMatching(/^r4nd0m-letters-\d{3}\.mp3$/), contentType: 'audio/mpeg', bytes: 5 },
    ]);
    const opened = await files.open(song.name);
    expect(opened).toMatchObject(song);
    await files.remove(song.name);
    expect(String(await opened?.read(0, 100))).toBe('la la');
    expect(String(await opened?.read(1, 2))).toBe('a ');
    await opened?.close();
    expect(await readFile(join(dir, picture.name), 'utf8')).toBe('a picture');
    expect(await readdir(dir)).toHaveLength(1);
    expect((await stat(join(dir, picture.name))).mode & 0o077).toBe(0);
  });

  it('are not stored when their content breaks off', async () => {
    const broken = Readable.from(
      (async function* () {
        yield Buffer.from('half of ');
        throw new Error('broken off');
      })(),
    );
    await expect(files.keep('mp4', broken)).rejects.toThrow('broken off');
    expect(await readdir(dir)).toEqual([]);
  });

  it('cannot have an extension of unknown type', async () => {
    await expect(files.keep('exe', Buffer.from('x'))).rejects.toThrow('no media file');
    await expect(files.keep('../png', Buffer.from('x'))).rejects.toThrow('no media file');
  });

  it.for([
    '',
    '.',
    '..',
    'a.png',
    '../secret-of-mine-0.png',
    'r4nd0m-letters-000.png/../../secret-of-mine-0.png',
    '%2e%2e/secret-of-mine-0.png',
    'secret-of-mine-0.exe',
    'secret-of-mine-0.png.part',
    'secret-of-mine-0.png\0',
    'directory-of-mine.png',
    'hasOwnProperty-x.constructor',
  ])('are not opened or removed by the name %j', async (name) => {
    await mkdir(join(dir, 'directory-of-mine.png'), { recursive: true });
    await writeFile(join(dir, 'secret-of-mine-0.exe'), 'x');
    await writeFile(join(dir, 'secret-of-mine-0.png.part'), 'x');
    await writeFile(join(dir, '..', 'secret-of-mine-0.png'), 'x');
    expect(await files.open(name)).toBeNull();
    if (!name.startsWith('directory')) await files.remove(name);
    expect(await readdir(dir)).toHaveLength(3);
    expect(await readdir(join(dir, '..'))).toHaveLength(2);
  });

  it('can be removed twice', async () => {
    const { name } = await files.keep('txt', Buffer.from('words'));
    await files.remove(name);
    await files.remove(name);
    expect(await files.open(name)).toBeNull();
  });

  it('are removed by their age on the clock, along with files left unfinished by a crash', async () => {
    await files.removeOlderThan(0);
    const old = await files.keep('png', Buffer.from('old'));
    await writeFile(join(dir, 'left-by-a-crash0.mp4.part'), 'half');
    await writeFile(join(dir, 'of-somebody-else'), 'x');
    await clock.advance(3_600_000);
    const young = await files.keep('png', Buffer.from('young'));
    await clock.advance(1_800_000);
    await files.removeOlderThan(3_600_000);
    expect((await readdir(dir)).sort()).toEqual(['of-somebody-else', young.name]);
    expect(await files.open(old.name)).toBeNull();
  });
});
