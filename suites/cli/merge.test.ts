import type { CheckResult, Report, Verdict } from 'gatecheck-reports/report';
import { describe, expect, it } from 'vitest';
import { allChecks } from '../checks/all-checks.ts';
import { UsageError } from '../process/exit-codes.ts';
import { loadRegister } from '../rules/register.ts';
import { assembleReport } from '../runner/assemble-report.ts';
import { emptyResult } from '../runner/empty-result.ts';
import { type Selection, selectForRun } from '../runner/select.ts';
import { mergeReports } from './merge.ts';

const register = loadRegister();

function resultsOf(shard: Selection['shard'], verdictOf: (id: string) => Verdict): CheckResult[] {
  return selectForRun(allChecks, register, { only: 'SSE', exclude: null, ids: null, shard }).map((check) => ({
    ...emptyResult(check, register, verdictOf(check.id), []),
  }));
}

function reportOf(
  shard: Selection['shard'],
  more: {
    verdictOf?: (id: string) => Verdict;
    waived?: string;
    seed?: number;
    profile?: string;
    url?: string;
  } = {},
): Report {
  const { verdictOf = () => 'pass', waived, seed = 1, profile = 'a.yaml', url = 'http://127.0.0.1:1' } = more;
  return assembleReport({
    target: { name: 'gateway', base_url: url, profile },
    waivers: waived === undefined ? [] : [{ id: waived, reason: 'known' }],
    shard,
    seed,
    size: 'quick',
    startedAt: new Date(`2026-06-15T12:00:0${shard?.part ?? 0}Z`),
    durationMs: 1_000 * (shard?.part ?? 1),
    versions: { gatecheck: '0', node: '26', fast_check: '4' },
    command: `npx gatecheck run --target ${profile} --only SSE${shard === null ? '' : ` --shard ${shard.part}/${shard.of}`} --seed ${seed}`,
    stopped: null,
    interrupted: false,
    checks: resultsOf(shard, verdictOf),
    knownCheckIds: allChecks.map(({ id }) => id),
    coveredIds: new Set(allChecks.flatMap(({ requirements }) => requirements)),
    areas: new Set(['SSE']),
    register,
    minimum: { streaming: 100 },
  });
}

const whole = (require: string | null = null): Parameters<typeof mergeReports>[1] => ({
  checks: allChecks,
  register,
  require,
});

const parts = (more: Parameters<typeof reportOf>[1] = {}): Report[] =>
  [1, 2, 3].map((part) => reportOf({ part, of: 3 }, more));

describe('the parts of a run', () => {
  it('contain each check once, the rows for all exchanges in each part, and about equal numbers', () => {
    const lists = parts().map(({ checks }) => checks.map(({ id }) => id));
    const all = reportOf(null).checks.map(({ id }) => id);
    expect([...new Set(lists.flat())].toSorted()).toEqual(all.toSorted());
    const rows = all.filter((id) => id.startsWith('every.')).length;
    expect(lists.flat().length - all.length).toBe(rows * (lists.length - 1));
    expect(
      Math.max(...lists.map(({ length }) => length)) - Math.min(...lists.map(({ length }) => length)),
    ).toBeLessThan(2);
  });

  it('add up their spending exactly, as far as each part reports it', () => {
    const spent = { exchanges: 7, paid: 2, tokens: 30, usd: '0.100000000001' };
    const [one, ...others] = parts().map((part) => ({ ...part, spent }));
    expect(mergeReports([one as Report, ...others], whole()).spent).toEqual({
      exchanges: 21,
      paid: 6,
      tokens: 90,
      usd: '0.300000000003',
    });
    const unpriced = { ...(one as Report), spent: { ...spent, usd: null } };
    expect(mergeReports([unpriced, ...others], whole()).spent?.usd).toBeNull();
    expect(mergeReports(parts(), whole()).spent).toBeUndefined();
  });

  it('pass though each part lacks evidence', () => {
    expect(parts().map((part) => part.exit_code)).toEqual([0, 0, 0]);
  });
});

describe('merged parts', () => {
  it('equal the whole run, in any order', () => {
    const { duration_ms: _, started_at: start, ...merged } = mergeReports(parts().toReversed(), whole());
    const { duration_ms: _ms, started_at: _at, ...all } = reportOf(null);
    expect(merged).toEqual(all);
    expect(start).toBe('2026-06-15T12:00:01.000Z');
  });

  it('fail if one part fails', () => {
    const [{ id } = { id: '' }] = reportOf({ part: 2, of: 3 }).checks;
    const merged = mergeReports(parts({ verdictOf: (one) => (one === id ? 'fail' : 'pass') }), whole());
    expect(merged).toMatchObject({ exit_code: 1, summary: { failed: 1 } });
  });

  it('lack evidence together', () => {
    const merged = mergeReports(parts({ verdictOf: () => 'untestable' }), whole('core-chat:1'));
    expect(merged.exit_code).toBe(3);
    expect(merged.headline).toContain('Too little evidence');
  });

  it('have no verdict if one deployment disappeared before its end, unless a check failed', () => {
    const [one, ...others] = parts() as [Report, ...Report[]];
    const gone: Report = { ...one, is_gone: true, stopped: 'the deployment answers no more' };
    const merged = mergeReports([gone, ...others], whole());
    expect(merged).toMatchObject({ exit_code: 3, is_gone: true, stopped: gone.stopped });
    expect(merged.headline).toMatch(/^No verdict after \d+ checks: the deployment answers no more\.$/);
    const [, ...failed] = parts({ verdictOf: () => 'fail' });
    expect(mergeReports([gone, ...failed], whole())).toMatchObject({ exit_code: 1, is_gone: true });
  });

  it('report a waiver that no part needs', () => {
    const waived = parts({ waived: 'SSE-001' });
    expect(waived.map((part) => part.exit_code)).toEqual([0, 0, 0]);
    expect(mergeReports(waived, whole())).toMatchObject({ exit_code: 5 });
  });

  it.each([
    ['a profile each, of one deployment', { profile: 'b.yaml' }],
    ['one profile, with an address that each takes from its environment', { url: 'http://127.0.0.2:1' }],
  ])('may have %s', (_, more) => {
    const merged = mergeReports([...parts().slice(0, 2), reportOf({ part: 3, of: 3 }, more)], whole());
    expect(merged).toMatchObject({ exit_code: 0 });
  });

  it.each([
    { name: 'a part is missing', reports: () => parts().slice(1), says: 'part 1 of 3 is missing' },
    {
      name: 'a part is there twice',
      reports: () => [...parts(), ...parts()],
      says: 'more reports than the 3 parts',
    },
    { name: 'one is a whole run', reports: () => [reportOf(null)], says: 'one is of a whole run' },
    {
      name: 'profile and deployment differ',
      reports: () => [
        ...parts().slice(0, 2),
        reportOf({ part: 3, of: 3 }, { profile: 'b.yaml', url: 'http://127.0.0.2:1' }),
      ],
      says: 'different runs',
    },
    {
      name: 'the seeds differ',
      reports: () => [...parts().slice(0, 2), reportOf({ part: 3, of: 3 }, { seed: 2 })],
      says: 'different runs',
    },
  ])('are refused where $name', ({ reports, says }) => {
    expect(() => mergeReports(reports(), whole())).toThrow(UsageError);
    expect(() => mergeReports(reports(), whole())).toThrow(says);
  });
});
