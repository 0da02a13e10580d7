import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { readText, TooLarge } from './read-text.ts';

it('reads a file whole, and nothing without an end', () => {
  const own = import.meta.filename;
  expect(readText(own, 10_000)).toContain('nothing without an end');
  expect(readText('/dev/null', 10)).toBe('');
  expect(() => readText(own, 100)).toThrow(TooLarge);
  expect(() => readText('/dev/zero', 1_000_000)).toThrow(TooLarge);
});

it('waits for no writer of a pipe that never comes', () => {
  const folder = mkdtempSync(join(tmpdir(), 'gatecheck-read-'));
  const pipe = join(folder, 'pipe');
  execFileSync('mkfifo', [pipe]);
  const silent = expect.objectContaining({ code: 'ETIMEDOUT' });
  expect(() => readText(pipe, 100, { writerMs: 100, silentMs: 100 })).toThrow(silent);
  rmSync(folder, { recursive: true });
});
