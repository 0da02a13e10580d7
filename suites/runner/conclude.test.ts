import { describe, expect, it } from 'vitest';
import { loadRegister } from '../rules/register.ts';
import type { Finding } from '../rules/violation.ts';
import { conclude, type Outcome } from './conclude.ts';

const register = loadRegister();
const [must, should, may] = (['MUST', 'SHOULD', 'MAY'] as const).map(
  (level) => [...register.values()].find((row) => row.level === level)?.id ?? '',
) as [string, string, string];

const found = (requirement: string, aspect = 'a'): Finding => ({
  requirement,
  aspect,
  expected: 'this',
  actual: 'that',
});
const passed: Outcome = { verdict: 'pass', finding: null, missing: [] };
const thrown = (finding: Finding, verdict: Outcome['verdict'] = 'fail'): Outcome => ({
  verdict,
  finding,
  missing: [],
});

function verdict(
  outcome: Outcome,
  { violations = [], advice = [] }: { violations?: Finding[]; advice?: Finding[] },
) {
  const { verdict: ended, findings } = conclude(register, { violations, advice }, outcome);
  return [ended, ...findings.map(({ requirement, aspect }) => `${requirement} ${aspect}`)];
}

describe('the verdict of a check', () => {
  it('is fail for violations found on the way, however the check ended, and reports all of them', () => {
    const violations = [found(must), found(must, 'b')];
    const all = ['fail', `${must} a`, `${must} b`];
    expect(verdict(passed, { violations })).toEqual(all);
    expect(verdict({ verdict: 'untestable', finding: null, missing: ['keys.K2'] }, { violations })).toEqual(
      all,
    );
    expect(verdict(thrown(found(must, 'harness'), 'harness-error'), { violations })).toEqual(all);
  });

  it('shows the violation that stopped the check first, and reports equal ones once', () => {
    const violations = [found(must, 'b'), found(must, 'a')];
    expect(verdict(thrown(found(must, 'a')), { violations })).toEqual(['fail', `${must} a`, `${must} b`]);
  });

  it('does not let advice hide a broken rule, nor blame a broken check on the target', () => {
    expect(verdict(thrown(found(should), 'warn'), { violations: [found(must)] })).toEqual([
      'fail',
      `${must} a`,
    ]);
    expect(verdict(thrown(found(must, 'harness'), 'harness-error'), { advice: [found(must)] })).toEqual([
      'harness-error',
      `${must} harness`,
    ]);
  });

  it('is warn for ignored advice, and records optional behaviour', () => {
    expect(verdict(passed, { advice: [found(must)] })).toEqual(['warn', `${must} a`]);
    expect(verdict(passed, { violations: [found(should)] })).toEqual(['warn', `${should} a`]);
    expect(verdict(passed, { violations: [found(may)] })).toEqual(['observed', `${may} a`]);
    expect(verdict(passed, {})).toEqual(['pass']);
  });
});
