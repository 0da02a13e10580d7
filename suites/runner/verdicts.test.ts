import type { CheckResult, Failure, Verdict, Waiver } from 'gatecheck-reports/report';
import { describe, expect, it } from 'vitest';
import { loadRegister } from '../rules/register.ts';
import { assembleReport } from './assemble-report.ts';
import { judgeRequirements, silencedIn } from './requirement-verdicts.ts';

const register = loadRegister();

function result(id: string, verdict: Verdict, requirements: string[], blamed?: string): CheckResult {
  const failure = { requirement: blamed, aspect: 'a', seen_in: 'core, beta', actual: 'seen' } as Failure;
  return {
    id,
    title: id,
    area: 'CHAT',
    requirements,
    level: 'MUST',
    verdict,
    evidence: {
      cases: 1,
      exchanges: 1,
      cases_digest: 'd',
      notes: [],
      missing: verdict === 'untestable' ? ['keys.K2'] : [],
      property: null,
    },
    duration_ms: 1,
    ...(blamed === undefined ? {} : { failure }),
  };
}

function report(
  checks: CheckResult[],
  waivers: Waiver[] = [],
  interrupted = false,
  stopped: string | null = null,
): ReturnType<typeof assembleReport> {
  return assembleReport({
    target: { name: 'gateway', base_url: 'http://127.0.0.1:1', profile: null },
    waivers,
    shard: null,
    seed: 1,
    size: 'quick',
    startedAt: new Date('2026-06-15T12:00:00Z'),
    durationMs: 1,
    versions: { gatecheck: '0', node: '26', fast_check: '4' },
    command: 'npx gatecheck run',
    stopped,
    interrupted,
    checks,
    knownCheckIds: checks.map((check) => check.id),
    coveredIds: new Set(),
    areas: new Set(),
    register,
  });
}

describe('the verdict on a requirement', () => {
  it('is untestable where a mapping of the profile hides the whole rule, also after a merge', () => {
    const checks = [result('a', 'pass', ['ERR-001', 'ERR-002'])];
    const member = (rule: string): string | null => (rule === 'ERR-001' ? 'dialect.errors.in_success' : null);
    const rows = judgeRequirements(checks, register, member);
    expect(rows.map(({ id, verdict, reason }) => [id, verdict, reason])).toEqual([
      ['ERR-001', 'untestable', 'hidden by dialect.errors.in_success'],
      ['ERR-002', 'pass', null],
    ]);
    expect(judgeRequirements(checks, register, silencedIn(rows))).toEqual(rows);
  });

  const verdictOn = (id: string, checks: CheckResult[]): Verdict | undefined =>
    judgeRequirements(checks, register).find((row) => row.id === id)?.verdict;

  it('is a pass only when every check that covers it passed', () => {
    expect(
      verdictOn('CHAT-012', [result('a', 'pass', ['CHAT-012']), result('b', 'pass', ['CHAT-012'])]),
    ).toBe('pass');
    expect(
      verdictOn('CHAT-012', [result('a', 'pass', ['CHAT-012']), result('b', 'untestable', ['CHAT-012'])]),
    ).toBe('untestable');
  });

  it('fails when a failure names it, whichever check found it', () => {
    const checks = [result('a', 'pass', ['RESP-020']), result('b', 'fail', ['CHAT-012'], 'RESP-020')];
    expect(verdictOn('RESP-020', checks)).toBe('fail');
  });

  it('is untestable, never pass, when its check stopped at another rule', () => {
    expect(verdictOn('CHAT-012', [result('b', 'fail', ['CHAT-012'], 'RESP-020')])).toBe('untestable');
  });
});

describe('the exit code', () => {
  it.each([
    ['0 when everything judged passed', [result('a', 'pass', ['CHAT-012'])], 0],
    ['0 with warnings', [result('a', 'warn', ['CHAT-012'], 'CHAT-014')], 0],
    [
      '1 with a failure, even beside a harness error',
      [result('a', 'fail', ['CHAT-012'], 'CHAT-012'), result('b', 'harness-error', ['CHAT-011'])],
      1,
    ],
    ['4 with a harness error alone', [result('b', 'harness-error', ['CHAT-011'])], 4],
    ['3 when nothing could be judged', [result('a', 'untestable', ['CHAT-012'])], 3],
  ])('is %s', (_, checks, code) => {
    expect(report(checks).exit_code).toBe(code);
  });

  it('is 130 when the user interrupted', () => {
    expect(report([result('a', 'fail', ['CHAT-012'], 'CHAT-012')], [], true).exit_code).toBe(130);
  });

  it('is 0 for a run that its budget ended, with a headline that says so', () => {
    const { exit_code: code, headline } = report(
      [result('a', 'pass', ['CHAT-012'])],
      [],
      false,
      'the budget of 20 exchanges is spent',
    );
    expect([code, headline]).toEqual([0, 'Conforming as far as the run went: 1 check judged, none failed.']);
  });
});

describe('a waiver', () => {
  const failing = [result('a', 'fail', ['CHAT-012'], 'CHAT-012')];

  it('marks the named failure as waived, by check or by requirement', () => {
    for (const id of ['a', 'CHAT-012']) {
      const judged = report(failing, [{ id, reason: 'known' }]);
      expect([judged.checks[0]?.verdict, judged.exit_code]).toEqual(['waived', 0]);
    }
  });

  it('does not cover another broken rule of the same check', () => {
    expect(
      report([result('a', 'fail', ['CHAT-012'], 'RESP-020')], [{ id: 'CHAT-012', reason: 'known' }])
        .exit_code,
    ).toBe(1);
  });

  it('keeps other violations of a check as failures, and covers all of them when it names the check', () => {
    const [both] = failing.map((check) => {
      const other = result('a', 'fail', [], 'RESP-020').failure;
      return other === undefined ? check : { ...check, also: [other] };
    });
    if (both === undefined) throw new Error('there is no failing check');
    const [check] = report([both], [{ id: 'CHAT-012', reason: 'known' }]).checks;
    expect(check).toMatchObject({ verdict: 'fail', failure: { requirement: 'RESP-020' } });
    expect(check).not.toHaveProperty('also');
    expect(check?.accepted).toMatchObject([{ requirement: 'CHAT-012' }]);
    expect(report([both], [{ id: 'a', reason: 'known' }]).checks[0]?.verdict).toBe('waived');
  });

  it.each([
    ['its aspect', { aspect: 'a' }, 'waived'],
    ['another aspect', { aspect: 'y' }, 'fail'],
    ['its place', { aspect: 'a', place: 'core' }, 'waived'],
    ['another place', { aspect: 'a', place: 'compat-a' }, 'fail'],
    ['streams there', { aspect: 'a', place: 'core, stream' }, 'fail'],
  ])('covers only what it names: %s', (_, named, verdict) => {
    const [check] = report(failing, [{ id: 'CHAT-012', reason: 'known', ...named }]).checks;
    expect(check?.verdict).toBe(verdict);
  });

  it('is not stale while generated cases may miss its defect', () => {
    const waiver = { id: 'CHAT-012', aspect: 'x', seed: 7, reason: 'known' };
    const drawn = (check: CheckResult): CheckResult => ({
      ...check,
      evidence: { ...check.evidence, property: { seed: 1, path: null, runs: 9, shrinks: 0 } },
    });
    const passing = drawn(result('a', 'pass', ['CHAT-012']));
    const unseen = report([passing], [waiver]);
    expect([unseen.exit_code, unseen.notices]).toEqual([0, [expect.stringContaining('CHAT-012 x')]]);
    // The seed also determines which cases a check without a property tries.
    expect(report([result('a', 'pass', ['CHAT-012'])], [waiver]).exit_code).toBe(0);
    expect(report([passing], [{ ...waiver, seed: 1 }]).exit_code).toBe(5);
  });

  it('is valid on its last day and fails the run afterwards', () => {
    expect(report(failing, [{ id: 'a', reason: 'known', until: '2026-06-15' }]).exit_code).toBe(0);
    const late = report(failing, [{ id: 'a', reason: 'known', until: '2026-06-14' }]);
    expect(late.exit_code).toBe(1);
    expect(late.headline).toContain('the waiver for a expired on 2026-06-14');
    expect(
      report([result('a', 'pass', ['CHAT-012'])], [{ id: 'a', reason: 'known', until: '2026-06-14' }])
        .exit_code,
    ).toBe(5);
  });

  it.each(['banana', 'alpha', 'stream'])('is a problem with the place %s, which no failure has', (place) => {
    expect(report(failing, [{ id: 'CHAT-012', place, reason: 'known' }]).headline).toMatch(
      /names a place that there is not: \w+; write it as failures do: core; core, stream/,
    );
  });

  it('shows what failures of its rule say when it fits none of them', () => {
    const misspelt = { id: 'CHAT-012', aspect: 'aa', reason: 'known' };
    expect(report(failing, [misspelt]).notices).toEqual([
      expect.stringContaining('CHAT-012 aa; failures say: a (core)'),
    ]);
  });

  it('is a problem once it is stale or names nothing', () => {
    expect(report([result('a', 'pass', ['CHAT-012'])], [{ id: 'a', reason: 'fixed' }])).toMatchObject({
      exit_code: 5,
      headline: expect.stringContaining('stale'),
    });
    expect(report([result('a', 'pass', ['CHAT-012'])], [{ id: 'zz', reason: 'typo' }])).toMatchObject({
      exit_code: 5,
      headline: expect.stringMatching(/names no check and no rule\b/),
    });
  });
});

describe('a warning', () => {
  const verdicts = (...checks: CheckResult[]): Verdict[] =>
    report(checks).checks.map(({ verdict }) => verdict);
  const seen = (id: string, requirement: string): CheckResult => result(id, 'warn', [requirement], 'SSE-010');

  it('is that of the checks of its rule, and the others pass', () => {
    expect(verdicts(seen('a', 'CHAT-012'), seen('b', 'SSE-010'), seen('c', 'CHAT-011'))).toEqual([
      'pass',
      'warn',
      'pass',
    ]);
  });

  it('is that of the first check where none is about its rule', () => {
    expect(verdicts(seen('a', 'CHAT-012'), seen('b', 'CHAT-011'))).toEqual(['warn', 'pass']);
  });

  it('leaves the rules of the others proved', () => {
    const { requirements } = report([seen('a', 'CHAT-012'), seen('b', 'SSE-010')]);
    expect(requirements.map(({ id, verdict }) => `${id} ${verdict}`)).toEqual([
      'CHAT-012 pass',
      'SSE-010 warn',
    ]);
  });
});
