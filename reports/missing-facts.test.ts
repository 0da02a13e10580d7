import { describe, expect, it } from 'vitest';
import { aroundFacts, groupByMissingFacts } from './missing-facts.ts';
import type { CheckResult } from './report.ts';
import { sampleReport } from './testing/sample-report.ts';

function untestable(...missing: string[][]): CheckResult[] {
  return sampleReport()
    .checks.slice(0, missing.length)
    .map((check, index) => ({
      ...check,
      verdict: 'untestable',
      evidence: { ...check.evidence, missing: missing[index] ?? [] },
    }));
}

describe('groupByMissingFacts', () => {
  it('puts the fact that aroundFacts most first and checks that no fact would help last', () => {
    const groups = groupByMissingFacts(untestable([], ['a'], ['b'], ['b'], ['b', 'a'], ['a', 'b', 'a']));
    expect(groups.map((group) => [group.facts.join('+'), group.checks.length])).toEqual([
      ['b', 2],
      ['a+b', 2],
      ['a', 1],
      ['', 1],
    ]);
  });

  it('includes only untestable checks', () => {
    const checks = untestable(['a']).map((check): CheckResult => ({ ...check, verdict: 'not-applicable' }));
    expect(groupByMissingFacts(checks)).toEqual([]);
  });

  it.each([
    [untestable(['a']), ['declare', 'to run 1 more check']],
    [untestable(['a'], ['a']), ['declare', 'to run 2 more checks']],
    [untestable(['deviations: odd']), ['hidden by', '(1 check)']],
    [untestable(['a call that is served']), ['1 check needs', '']],
  ])('counts in words, and does not ask for what hides them', (checks, words) => {
    expect(groupByMissingFacts(checks).map(aroundFacts)).toEqual([words]);
  });
});
