import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { readNamedFile, whyUnread } from './read-named-file.ts';
import { readConfigText } from './start-config.ts';

it('reads a file up to its limit, and nothing without an end', () => {
  const folder = mkdtempSync(join(tmpdir(), 'gatecheck-read-'));
  const file = join(folder, 'a.yaml');
  writeFileSync(file, 'x'.repeat(100));
  expect(readNamedFile(file, 100)).toHaveLength(100);
  const tooLarge = expect.objectContaining({ code: 'EFBIG' });
  expect(() => readNamedFile(file, 99)).toThrow(tooLarge);
  expect(() => readNamedFile('/dev/zero', 5_000_000)).toThrow(tooLarge);
  // Its size is 0.
  expect(() => readNamedFile('/proc/kallsyms', 10_000)).toThrow(tooLarge);
  expect(readNamedFile('/dev/null', 10)).toBe('');
  expect(() => readConfigText('/dev/zero')).toThrow('/dev/zero cannot be read (it is too large).');
  expect(() => readConfigText(folder)).toThrow(`${folder} cannot be read (it is a folder).`);
  rmSync(folder, { recursive: true });
});

it('reads a pipe to its end, and waits for no writer that never comes', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'gatecheck-read-'));
  const pipe = join(folder, 'pipe');
  execFileSync('mkfifo', [pipe]);
  const read = (writerMs: number): string => readNamedFile(pipe, 100, { writerMs, silentMs: 20_000 });
  expect(() => read(100)).toThrow(expect.objectContaining({ code: 'ETIMEDOUT' }));
  const writer = spawn('sh', ['-c', 'sleep 0.2; { printf {; sleep 0.3; printf }; } > "$1"', 'sh', pipe]);
  expect(read(20_000)).toBe('{}');
  writer.kill();
  expect(whyUnread(Object.assign(new Error(), { code: 'ETIMEDOUT' }))).toBe('nobody writes into this pipe');
  rmSync(folder, { recursive: true });
});
