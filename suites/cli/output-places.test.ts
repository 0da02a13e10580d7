import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { assertFile, openFolder } from './output-places.ts';

const root = mkdtempSync(join(tmpdir(), 'gatecheck-places-'));
afterAll(() => rmSync(root, { recursive: true }));

it('creates a folder with its parents', () => {
  openFolder(join(root, 'a', 'b', 'c'));
  expect(existsSync(join(root, 'a', 'b', 'c'))).toBe(true);
});

it('rejects a folder below a file', () => {
  writeFileSync(join(root, 'file'), '');
  expect(() => openFolder(join(root, 'file', 'x'))).toThrow(/^--out \S+ cannot be written to: ENOTDIR/);
});

it.runIf(existsSync('/proc/self'))('a folder where none can be made is refused, and soon', () => {
  expect(() => openFolder('/proc/gatecheck/out')).toThrow(/^--out \S+ cannot be written to: E\w+/);
});

it('rejects a file that cannot be written, and leaves an existing one unchanged', () => {
  expect(() => assertFile(join(root, 'none', 'x.yaml'), '--write-waivers')).toThrow(
    /^--write-waivers \S+ cannot be written to: ENOENT/,
  );
  const kept = join(root, 'kept.yaml');
  writeFileSync(kept, 'waivers: []\n');
  assertFile(kept, '--write-waivers');
  assertFile(join(root, 'new.yaml'), '--write-waivers');
  expect(readFileSync(kept, 'utf8')).toBe('waivers: []\n');
  expect(existsSync(join(root, 'new.yaml'))).toBe(false);
});
