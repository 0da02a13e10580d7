import { expect, it } from 'vitest';
import type { Verdict } from './report.ts';
import { type RunSummary, runSummaryOf } from './run-summary.ts';
import { sampleReport } from './testing/sample-report.ts';
import { trendOf } from './trend.ts';

/** A run with the given verdicts on rules and reasons of failures. */
function run(rules: Record<string, Verdict>, failures: string[] = []): RunSummary {
  return { ...runSummaryOf(sampleReport()), rules, failures };
}

const changes = (...runs: RunSummary[]) =>
  trendOf(runs).map(({ new: added, fixed, changed }) => ({ new: added, fixed, changed }));

const none = { new: [], fixed: [], changed: [] };

it('keeps counts, verdicts and the names of what failed, and nothing that was sent', () => {
  const kept = runSummaryOf(sampleReport());
  expect(kept.failures).toEqual([
    'ERR-024 param-names-field',
    'LIM-004 slot-freed-after-disconnect',
    'SSE-004 first-delta-before-last',
  ]);
  expect(kept.rules['AUTH-001']).toBe('pass');
  expect(JSON.stringify(kept)).not.toMatch(/https?:|messages|Bearer|GATECHECK_KEY/);
});

it('adds up to all checks', () => {
  const [only] = trendOf([runSummaryOf(sampleReport())]);
  expect(only).toMatchObject({ passed: 24, failed: 5, untestable: 5 });
  const { passed, failed, untestable, others } = only ?? { passed: 0, failed: 0, untestable: 0, others: 0 };
  expect(passed + failed + untestable + others).toBe(sampleReport().checks.length);
});

it('names rules that newly fail, are fixed, or fail in another way', () => {
  const first = run({ A: 'pass', B: 'fail', C: 'fail', D: 'fail' }, ['B x', 'C x', 'D x']);
  const second = run({ A: 'fail', B: 'pass', C: 'fail', D: 'fail' }, ['A x', 'C y', 'D x']);
  expect(changes(first, second)).toEqual([none, { new: ['A'], fixed: ['B'], changed: ['C'] }]);
});

it('compares each rule with the last run that judged it', () => {
  const runs = [
    run({ A: 'fail' }, ['A x']),
    run({ A: 'untestable' }),
    run({ B: 'fail' }),
    run({ A: 'pass' }),
  ];
  expect(changes(...runs)).toEqual([none, none, none, { ...none, fixed: ['A'] }]);
});

it.each(['waived', 'flaky', 'untestable', 'harness-error', 'not-applicable'] as const)(
  'counts a rule that is %s as neither broken nor fixed',
  (verdict) => {
    const fails = run({ A: 'fail' }, ['A x']);
    expect(changes(fails, run({ A: verdict }), fails)).toEqual([none, none, none]);
  },
);
