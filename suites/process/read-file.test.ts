import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { readWithin } from './read-file.ts';

it('reads a file up to its limit, and nothing without an end', () => {
  const folder = mkdtempSync(join(tmpdir(), 'gatecheck-read-'));
  const file = join(folder, 'a.json');
  writeFileSync(file, 'x'.repeat(100));
  expect(readWithin(file, 100).length).toBe(100);
  for (const [path, most] of [
    [file, 99],
    ['/dev/zero', 5_000_000],
  ] as const)
    expect(() => readWithin(path, most)).toThrow(expect.objectContaining({ code: 'EFBIG' }));
  expect(readWithin('/dev/null', 10).length).toBe(0);
  rmSync(folder, { recursive: true });
});

it('reads a pipe to its end, and waits for no writer that never comes or never writes', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'gatecheck-read-'));
  const pipe = join(folder, 'pipe');
  execFileSync('mkfifo', [pipe]);
  const patience = { writerMs: 100, silentMs: 300 };
  const silent = expect.objectContaining({ code: 'ETIMEDOUT' });
  expect(() => readWithin(pipe, 100, patience)).toThrow(silent);
  const writer = (script: string): ChildProcess => spawn('sh', ['-c', script, 'sh', pipe]);
  const late = writer('sleep 0.2; { printf {; sleep 0.3; printf }; } > "$1"');
  expect(readWithin(pipe, 100, { writerMs: 20_000, silentMs: 20_000 }).toString()).toBe('{}');
  const mute = writer('exec sleep 30 > "$1"');
  expect(() => readWithin(pipe, 100, { writerMs: 20_000, silentMs: 300 })).toThrow(silent);
  for (const child of [late, mute]) child.kill();
  rmSync(folder, { recursive: true });
});
