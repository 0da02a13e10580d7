import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Report } from 'gatecheck-reports/report';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { readReport, runCli } from '../cli/testing/run-cli.ts';
import type { Profile } from '../profile/profile.ts';
import { type Stack, startStack } from './stack.ts';

const folder = mkdtempSync(join(tmpdir(), 'gatecheck-money-'));
let stack: Stack;
beforeAll(async () => {
  stack = await startStack({ seed: 1, tenants: 4 });
});
afterAll(async () => {
  await stack?.stop();
  rmSync(folder, { recursive: true, force: true });
});

type HookName = keyof Profile['hooks'];

/** Judges a deployment that declares fewer hooks than it has. */
async function judgedWithout(
  hooks: readonly HookName[],
  only: string,
): Promise<{ report: Report; stdout: string; code: number | null }> {
  const kept = Object.entries(stack.profile.hooks).filter(([name]) => !hooks.includes(name as HookName));
  const target = join(folder, 'target.yaml');
  writeFileSync(target, stringify({ ...stack.profile, hooks: Object.fromEntries(kept) }), { mode: 0o600 });
  const out = join(folder, hooks.join('-'));
  const run = ['run', '--target', target, '--out', out, '--only', only, '--seed', '3'];
  const { code, stdout } = await runCli(run);
  return { report: readReport(out), stdout, code };
}

const verdicts = (report: Report): Record<string, string> =>
  Object.fromEntries(report.checks.map(({ id, verdict }) => [id, verdict]));

const factors = ['cache.rate.five-minute-write', 'cache.rate.one-hour-write', 'cache.rate.hit'];
const proved = { 'CACHE-001': 'pass', 'CACHE-002': 'pass', 'CACHE-003': 'pass' };

it('without a ledger, the balance alone proves cache multipliers and markups', async () => {
  const checks = [...factors, 'bill.apps.ratio', 'bill.failed', 'bill.balance.falls'];
  const { report, code } = await judgedWithout(['ledger', 'usage'], checks.join());
  expect(report.checks.filter(({ verdict }) => verdict !== 'pass')).toEqual([]);
  expect(report.checks.map(({ id }) => id)).toEqual(expect.arrayContaining(factors));
  const rows = Object.fromEntries(report.requirements.map(({ id, verdict }) => [id, verdict]));
  expect(rows).toMatchObject({ ...proved, 'BILL-003': 'pass' });
  expect(code).toBe(0);
}, 120_000);

it('with usage but no ledger, usage is compared with the loss of balance', async () => {
  const { report, code } = await judgedWithout(['ledger'], 'bill.story,bill.retry.every-endpoint');
  expect(verdicts(report)).toEqual({
    'bill.retry.every-endpoint': 'pass',
    'bill.story.chat': 'pass',
    'bill.story.media': 'pass',
  });
  expect(code).toBe(0);
}, 120_000);

it('without a balance too, the report names the lost checks, and still sees credit run out', async () => {
  const fuse = 'lim.credits.run-out';
  const hidden: HookName[] = ['ledger', 'usage', 'balance', 'accounts'];
  const { report, stdout } = await judgedWithout(hidden, [...factors, 'bill.balance.falls', fuse].join());
  const open = report.checks.filter(({ id }) => id !== fuse);
  expect(open.map(({ verdict }) => verdict)).toEqual(open.map(() => 'untestable'));
  expect(verdicts(report)[fuse]).toBe('pass');
  const lost = report.checks.filter(({ id }) => factors.includes(id));
  expect(lost.map(({ evidence }) => evidence.missing)).toEqual(lost.map(() => ['charges']));
  expect(stdout).toContain('declare charges to run 3 more checks');
  expect(stdout).toContain('declare hooks.balance to run 1 more check');
}, 120_000);
