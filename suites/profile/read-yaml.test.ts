import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { z } from 'zod';
import { UsageError } from '../process/exit-codes.ts';
import { readYaml } from './read-yaml.ts';

const folder = mkdtempSync(join(tmpdir(), 'gatecheck-yaml-'));
afterAll(() => rmSync(folder, { recursive: true }));
const path = join(folder, 'profile.yaml');

/** Ten lists of ten, each of the list before: ten thousand million values. */
const bomb = [
  'a: &l0 [x]',
  ...Array.from({ length: 10 }, (_, n) => `b${n}: &l${n + 1} [${`*l${n},`.repeat(10)}]`),
];

it.each([
  ['values that multiply', bomb.join('\n'), /alias/i],
  ['many levels', `a: ${'['.repeat(100_000)}`, /is not YAML/],
  ['a megabyte and more', `a: ${'x'.repeat(1_100_000)}`, /it is too large/],
  ['a name twice', 'a: 1\nb: {c: 1, c: 2}\n', /c is there twice, again in line 2/],
])('a file with %s is refused with one sentence', (_what, text, message) => {
  writeFileSync(path, text);
  const read = (): unknown => readYaml({ path, what: 'profile' }, z.unknown());
  expect(read).toThrow(UsageError);
  expect(read).toThrow(message);
});

it('a file with a hundred thousand unknown names is refused in time, with the first of them', () => {
  writeFileSync(path, Array.from({ length: 100_000 }, (_, n) => `k${n}: 1`).join('\n'));
  const read = (): unknown =>
    readYaml({ path, what: 'profile' }, z.strictObject({ kind: z.string().optional() }));
  expect(read).toThrow(/k0 \(line 1\): unknown member[\s\S]*k99 [\s\S]*and 99900 more$/);
});

it('a file with a hundred thousand names is read in time', () => {
  writeFileSync(path, Array.from({ length: 100_000 }, (_, n) => `k${n}: 1`).join('\n'));
  expect(Object.keys(readYaml({ path, what: 'profile' }, z.record(z.string(), z.int())))).toHaveLength(
    100_000,
  );
});
