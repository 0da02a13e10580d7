import { describe, expect, it } from 'vitest';
import { groupByMissingFacts } from './missing-facts.ts';
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
  it('puts the fact that unlocks most first and checks that no fact would help last', () => {
    const groups = groupByMissingFacts(untestable([], ['a'], ['b'], ['b'], ['b', 'a'], ['a', 'b', 'a']));
    expect(groups.map((group) => [group.facts.join('+'), group.checks.length])).toEqual([
      ['b', 2],
      ['a+b', 2],
      ['a', 1],
      ['', 1],
    ]);
  });

  it('looks at untestable checks only', () => {
    const checks = untestable(['a']).map((check): CheckResult => ({ ...check, verdict: 'not-applicable' }));
    expect(groupByMissingFacts(checks)).toEqual([]);
  });
});
