import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import type { Examination } from './examination.ts';
import { reachKeyOf, readExamination, readReach, writeExamination, writeReach } from './examination-files.ts';

const folder = mkdtempSync(join(tmpdir(), 'gatecheck-files-'));
afterAll(() => rmSync(folder, { recursive: true }));

it('finds nothing in a folder without an examination', () => {
  expect(readExamination(join(folder, 'empty'))).toBeNull();
  expect(readReach(join(folder, 'empty'), 'key')).toBeNull();
});

it('reads what it wrote last, and leaves nothing else', () => {
  const examination = { schema: 'gatecheck.examination/1', seed: 1, mutants: [] } as unknown as Examination;
  writeExamination(folder, examination);
  writeExamination(folder, { ...examination, seed: 2 });
  expect(readExamination(folder)?.seed).toBe(2);
  expect(readdirSync(folder)).toEqual(['examination.json']);
});

it('forgets which checks run which place when a source has changed', () => {
  const keyOf = (text: string): string => reachKeyOf([{ path: 'gateway/x.ts', text }], [], 1);
  const reach = { mutants: { m: ['a.b'] }, files: {} };
  writeReach(folder, keyOf('old'), reach);
  expect(readReach(folder, keyOf('old'))).toEqual(reach);
  expect(readReach(folder, keyOf('new'))).toBeNull();
});
