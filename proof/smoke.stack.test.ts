import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { readReport, runCli } from '../suites/cli/testing/run-cli.ts';

const folder = mkdtempSync(join(tmpdir(), 'gatecheck-smoke-'));
afterAll(() => rmSync(folder, { recursive: true }));

it('all checks pass on the reference, in the smallest size', async () => {
  const { code } = await runCli(['run', '--reference', '--size', 'smoke', '--seed', '1', '--out', folder]);
  const { checks } = readReport(folder);
  const others = checks.filter(({ verdict }) => !['pass', 'observed', 'flaky'].includes(verdict));
  expect(others.map(({ id, verdict }) => `${id}: ${verdict}`)).toEqual([]);
  expect(code).toBe(0);
}, 600_000);
