import { join } from 'node:path';
import type { Report } from 'gatecheck-reports/report';
import { describe, expect, it } from 'vitest';
import type { Plan } from '../plan/plan.ts';
import { loadProfile } from '../profile/load-profile.ts';
import { readReport, runCli } from './testing/run-cli.ts';
import { upBeside } from './testing/up.ts';

const { folder, target } = upBeside('plan');

async function run(name: string, ...args: string[]): Promise<{ report: Report; stderr: string }> {
  const out = join(folder, name);
  const { stderr } = await runCli(['run', ...args, '--seed', '11', '--out', out]);
  return { report: readReport(out), stderr };
}

/** Areas without failing upstreams, whose extra costs depend on the other checks of the run. */
const only = ['--only', 'MSG,TOOL,CHAT,SSE', '--exclude', 'upstream,faults'];

describe.each([
  ['with a full profile', () => ['--target', target]],
  [
    'by address and key',
    () => {
      const { base_url: url, keys } = loadProfile(target, {});
      return ['--base-url', url, '--key', keys.K1];
    },
  ],
])('a plan %s', (name, targetOf) => {
  it('is within 10 % of what the run sends, and the run prints it first', async () => {
    const planned = await runCli([
      'plan',
      '--seed',
      '3',
      '--out',
      'unused',
      '--require',
      'core-chat',
      ...targetOf(),
      ...only,
      '--json',
    ]);
    const plan = JSON.parse(planned.stdout) as Plan;
    const { report, stderr } = await run(name, ...targetOf(), ...only);
    const { exchanges = 0, paid = 0 } = report.spent ?? {};
    expect(plan.exchanges / exchanges).toBeGreaterThan(0.9);
    expect(plan.exchanges / exchanges).toBeLessThan(1.1);
    const planPaid = Object.values(plan.paid).reduce((sum, count) => sum + count, 0);
    expect(planPaid / paid).toBeGreaterThan(0.9);
    expect(planPaid / paid).toBeLessThan(1.1);
    expect(stderr.split('\n')[0]).toMatch(/^Plan: \d+ checks of \d+, about [\d,]+ exchanges, /);
  }, 400_000);
});

describe('a budget', () => {
  it.each([
    ['exchanges=60', 'the budget of 60 exchanges is spent'],
    ['tokens=3000', 'the budget of 3000 tokens is spent'],
    ['usd=0.05', 'the budget of 0.05 dollars is spent'],
  ])(
    'of %s stops a run with an incomplete but correct report',
    async (budget, sentence) => {
      const { report } = await run(budget, '--target', target, ...only, '--budget', budget);
      expect(report.stopped).toBe(sentence);
      const { exchanges = 0, tokens = 0, usd } = report.spent ?? {};
      if (budget.startsWith('exchanges')) expect(exchanges).toBe(60);
      if (budget.startsWith('tokens')) expect(tokens).toBeGreaterThanOrEqual(3_000);
      if (budget.startsWith('usd')) expect(Number(usd)).toBeGreaterThanOrEqual(0.05);
      expect(
        report.checks.filter(({ verdict }) => verdict === 'fail' || verdict === 'harness-error'),
      ).toEqual([]);
      const notRun = report.checks.filter(({ not_run: reason }) => reason !== undefined);
      expect(new Set(notRun.map(({ not_run: reason }) => reason))).toEqual(new Set([sentence]));
      expect(notRun.filter(({ evidence }) => evidence.missing.length > 0)).toEqual([]);
      // Earlier verdicts stay valid.
      expect(report.summary.passed).toBeGreaterThan(0);
    },
    120_000,
  );
});
