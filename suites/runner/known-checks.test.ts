import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { allChecks } from '../checks/all-checks.ts';
import { loadRegister } from '../rules/register.ts';
import { knownChecks } from './known-checks.ts';
import { selectChecks } from './select.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'gatecheck-known-'));
  vi.stubEnv('NODE_COMPILE_CACHE', folder);
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true });
});

const keptFile = (): string =>
  join(folder, readdirSync(folder).find((name) => name.startsWith('checks-')) ?? '');

it('are all checks, at first and from the cache', async () => {
  const [first, kept] = [await knownChecks(), await knownChecks()];
  expect(first.checks.map(({ id }) => id)).toEqual(allChecks.map(({ id }) => id));
  expect(kept).toEqual(first);
  expect(readdirSync(folder)).toHaveLength(1);
  const register = loadRegister();
  for (const only of ['AUTH', 'CHAT-012', 'timing', 'faults'])
    expect(selectChecks(kept.checks, register, only).map(({ id }) => id)).toEqual(
      selectChecks(allChecks, register, only).map(({ id }) => id),
    );
});

it('are loaded again when the cache is of other sources, or unreadable', async () => {
  const first = await knownChecks();
  for (const text of [JSON.stringify({ state: 'other', value: { checks: [], mutants: [] } }), '{"state":']) {
    writeFileSync(keptFile(), text);
    expect(await knownChecks()).toEqual(first);
  }
});

it('are not cached when caching is off', async () => {
  vi.stubEnv('NODE_COMPILE_CACHE', '');
  expect((await knownChecks()).checks).toHaveLength(allChecks.length);
  expect(readdirSync(folder)).toEqual([]);
});
