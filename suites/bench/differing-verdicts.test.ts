import type { CheckResult, Report, Verdict } from 'gatecheck-reports/report';
import { sampleReport } from 'gatecheck-reports/sample-report';
import { expect, it } from 'vitest';
import { differingVerdicts } from './differing-verdicts.ts';

function run(seed: number, verdict: Verdict, missing: string[] = []): Report {
  const report = sampleReport();
  const [first] = report.checks as [CheckResult];
  const { failure: _, ...bare } = first;
  const check = { ...bare, id: 'a.b.c', verdict, evidence: { ...first.evidence, missing } };
  return { ...report, seed, checks: [check], requirements: [] };
}

it('names what runs with different seeds judged differently, and with which seeds', () => {
  const reports = [run(1, 'pass'), run(2, 'untestable', ['media.image_urls']), run(3, 'pass')];
  const [difference] = differingVerdicts(reports);
  expect(difference?.id).toBe('a.b.c');
  expect([...(difference?.outcomes ?? [])]).toEqual([
    ['pass', [1, 3]],
    ['untestable media.image_urls', [2]],
  ]);
});

it('names nothing where all runs are alike', () => {
  expect(differingVerdicts([run(1, 'pass'), run(2, 'pass')])).toEqual([]);
});
