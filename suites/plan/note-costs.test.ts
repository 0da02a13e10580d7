import type { Evidence } from 'gatecheck-reports/evidence';
import type { CheckResult } from 'gatecheck-reports/report';
import { expect, it } from 'vitest';
import { inLines, noteCosts, noteModels, noteSmoke, withRows } from './note-costs.ts';

const result = (id: string, evidence: Partial<Evidence>, more: Partial<CheckResult> = {}): CheckResult =>
  ({
    id,
    verdict: 'pass',
    duration_ms: 70,
    evidence: { cases_digest: 'd', missing: [], ...evidence },
    ...more,
  }) as unknown as CheckResult;

const cost = (exchanges: number, ms: number): object => ({ exchanges, reads: 0, ms, models: {} });
const known = {
  models: [],
  recovery: { exchanges: 5, paid: 4, besideExchanges: 100 },
  side: 1,
  checks: {
    a: { profile: { exchanges: 1, reads: 0, ms: 50, models: {} }, address: null },
    gone: { profile: null, address: null },
  },
};

it('notes what a run sent, keeps other costs, and keeps the shortest time', () => {
  const models = { vidB2: { asked: 2, paid: 1, seconds: 5 } };
  const checks = [result('a', { exchanges: 4, reads: 1, models }), result('b', { exchanges: 2 })];
  expect(noteCosts(known, 'profile', { checks, duration_ms: 1 }, ['a', 'b']).checks).toEqual({
    a: {
      profile: { exchanges: 4, reads: 1, ms: 50, models: { vidB2: [2, 1, 0, 0, 0, 0, 0, 0, 5] } },
      address: null,
    },
    b: { profile: cost(2, 70), address: null },
  });
});

it('has a row for each check, in their order: an empty one for a new check', () => {
  const { checks } = withRows(known, [{ id: 'b' }, { id: 'a' }]);
  expect(Object.entries(checks)).toEqual([
    ['b', { profile: null, address: null }],
    ['a', known.checks.a],
  ]);
});

it('keeps the costs of checks that failed, were cut off or are not in the report', () => {
  const cut = result('a', { exchanges: 9 }, { verdict: 'untestable', not_run: 'interrupted' });
  const failed = result('a', { exchanges: 9 }, { verdict: 'fail' });
  for (const checks of [[cut], [failed], []])
    expect(noteCosts(known, 'profile', { checks, duration_ms: 1 }, ['a']).checks).toEqual({
      a: known.checks.a,
    });
});

it('distinguishes a check that did not begin from one that a missing fact stopped', () => {
  const open = { exchanges: 0, missing: ['media.audio_urls'] };
  const address = (evidence: Partial<Evidence>): unknown => {
    const checks = [result('a', evidence, { verdict: 'untestable' })];
    return noteCosts(known, 'address', { checks, duration_ms: 1 }, ['a']).checks.a?.address;
  };
  expect(address({ ...open, cases_digest: '' })).toBeNull();
  expect(address(open)).toEqual({ ...cost(0, 70), lacks: ['media.audio_urls'] });
});

it('notes the calls of a whole run besides its checks, and keeps them after a partial run', () => {
  const evidence = { exchanges: 10, models: { vidB2: { asked: 2, paid: 1 } } };
  const report = {
    checks: [result('a', evidence), result('b', evidence)],
    duration_ms: 1,
    spent: { exchanges: 23, paid: 4, tokens: 0, usd: null },
  };
  const recoveryWith = (ids: readonly string[], knowledge: 'profile' | 'address' = 'profile'): object =>
    noteCosts(known, knowledge, report, ids).recovery;
  expect(recoveryWith(['a', 'b'])).toEqual({ exchanges: 3, paid: 2, besideExchanges: 20 });
  expect(recoveryWith(['a', 'b', 'c'])).toEqual(known.recovery);
  expect(recoveryWith(['a', 'b'], 'address')).toEqual(known.recovery);
});

it('writes one line for each check', () => {
  const text = inLines(known);
  expect(JSON.parse(text)).toEqual(known);
  expect(text.split('\n').filter((line) => line.startsWith('  "'))).toHaveLength(2);
});

it('notes what a smoke run sent, and keeps the rest', () => {
  const checks = [result('a', { exchanges: 9, reads: 4 }), result('gone', { exchanges: 0 })];
  expect(noteSmoke(known, { checks }).checks).toEqual({
    a: { ...known.checks.a, smoke: expect.objectContaining({ exchanges: 9, reads: 4 }) },
    gone: known.checks.gone,
  });
});

it('notes the models of which a check needs one, from its missing facts', () => {
  const asksOf = (missing: string): readonly string[] | undefined =>
    noteModels(known, { checks: [result('a', { missing: [missing] })] }).checks.a?.asks;
  expect(asksOf('models.enabled with beta-large-4-5 or beta-mid-4-5')).toEqual([
    'beta-large-4-5',
    'beta-mid-4-5',
  ]);
  expect(asksOf('models.enabled with a gamma model')).toEqual(['gamma-3-pro', 'gamma-3-flash']);
  expect(asksOf('a model of a compat path')).toContain('beta-mid-4-5');
  expect(asksOf('traffic: an image request that is answered')).toContain('dream-4-0');
  expect(asksOf('upstream.control')).toBeUndefined();
});

it('notes facts that a check misses on its way, and that one about media alone needs any chat model', () => {
  const cost = { exchanges: 1, reads: 0, ms: 1, models: { 'dream-4-0': [1] } };
  const costs = { ...known, checks: { a: { profile: cost, address: null } } };
  const noted = (evidence: object, verdict: CheckResult['verdict'] = 'pass') =>
    noteModels(costs, { checks: [{ ...result('a', evidence), verdict }] }).checks.a;
  expect(noted({ missing: ['upstream.breaker'] }, 'untestable')?.profile?.lacks).toEqual([
    'upstream.breaker',
  ]);
  expect(noted({ missing: ['upstream.breaker'], cases_digest: '' }, 'untestable')).toEqual(costs.checks.a);
  expect(noted({ missing: ['compat.a'] }, 'untestable')?.asks).toContain('beta-mid-4-5');
  expect(noted({ missing: [], exchanges: 3 })?.asks).toContain('delta-3');
  expect(noted({ missing: [], exchanges: 3 }, 'fail')).toEqual(costs.checks.a);
});
