import type { CheckResult, Verdict } from 'gatecheck-reports/report';
import { sampleReport } from 'gatecheck-reports/testing/sample-report';
import { expect, it } from 'vitest';
import { leftOut } from './left-out.ts';

function check(requirements: string[], verdict: Verdict, notRun?: string): CheckResult {
  const [first] = sampleReport().checks as [CheckResult];
  const { not_run: _, ...bare } = first;
  return { ...bare, requirements, verdict, ...(notRun === undefined ? {} : { not_run: notRun }) };
}

const late = 'the budget of 10 minutes is spent';

it('names the rules that no check has reached, and not those that lack a fact', () => {
  const checks = [
    check(['A-001', 'A-002'], 'pass'),
    check(['A-002', 'A-003'], 'untestable', late),
    check(['A-004'], 'untestable'),
  ];
  expect(leftOut(checks, 'quick')).toEqual(['1 rule not reached in this run: A-003']);
  const unable = { ...check(['A-005'], 'untestable', late), id: 'a.lacks' };
  expect(leftOut([...checks, unable], 'quick', new Set(['a.lacks']))).toEqual(leftOut(checks, 'quick'));
});

it('reports that a smoke run tried few cases, and nothing for a full run', () => {
  expect(leftOut([check(['A-001'], 'pass')], 'smoke')).toEqual([
    'smoke size: each check tried few of its cases',
  ]);
  expect(leftOut([check(['A-001'], 'fail')], 'quick')).toEqual([]);
});
