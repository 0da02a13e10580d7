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
