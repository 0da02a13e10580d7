import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { reachKeyOf, readReach, writeReach } from './examination-files.ts';

const folder = mkdtempSync(join(tmpdir(), 'gatecheck-files-'));
afterAll(() => rmSync(folder, { recursive: true }));

it('forgets which checks run which code when a source has changed', () => {
  const keyOf = (text: string): string => reachKeyOf([{ path: 'gateway/x.ts', text }], [], 1);
  const reach = { mutants: { m: ['a.b'] }, files: {} };
  writeReach(folder, keyOf('old'), reach);
  expect(readReach(folder, keyOf('old'))).toEqual(reach);
  expect(readReach(folder, keyOf('new'))).toBeNull();
});
