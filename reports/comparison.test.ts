import { describe, expect, it } from 'vitest';
import { compareReports } from './comparison.ts';
import { headlineOf, renderComparison } from './render-comparison.ts';
import type { CheckResult, Report, Verdict } from './report.ts';
import { wrongParam } from './testing/sample-failures.ts';
import { sampleReport } from './testing/sample-report.ts';

interface Row {
  readonly verdict: Verdict;
  readonly aspect?: string;
  readonly also?: string;
  readonly notes?: string[];
  readonly missing?: string[];
  readonly ms?: number;
}

function checkOf(
  id: string,
  { verdict, aspect = 'shape', also, notes = [], missing = [], ms = 100 }: Row,
): CheckResult {
  const [sample] = sampleReport().checks;
  if (sample === undefined) throw new Error('the sample has no check');
  const { failure: _, ...rest } = sample;
  const failureOf = (name: string): NonNullable<CheckResult['failure']> => ({
    ...structuredClone(wrongParam),
    aspect: name,
  });
  return {
    ...rest,
    ...{ id, verdict, duration_ms: ms, evidence: { ...rest.evidence, notes, missing } },
    ...(verdict === 'fail' && { failure: failureOf(aspect) }),
    ...(also !== undefined && { also: [failureOf(also)] }),
  };
}

function reportOf(rows: Readonly<Record<string, Row>>, more: Partial<Report> = {}): Report {
  return { ...sampleReport(), ...more, checks: Object.entries(rows).map(([id, row]) => checkOf(id, row)) };
}

const pass: Row = { verdict: 'pass' };
const fail: Row = { verdict: 'fail' };
const ids = (list: readonly { id: string }[]): string[] => list.map(({ id }) => id);

describe('between two runs', () => {
  it.each([
    { name: 'passed', before: pass },
    { name: 'warned', before: { verdict: 'warn' as const } },
    { name: 'could not be tested', before: { verdict: 'untestable' as const } },
  ])('a failing check is new if it $name', ({ before }) => {
    const { regressions, gained } = compareReports(reportOf({ a: before }), reportOf({ a: fail }));
    expect(regressions).toMatchObject([{ id: 'a', before: before.verdict, failure: { aspect: 'shape' } }]);
    expect(gained).toEqual([]);
  });

  it('a failing check that did not run before is new', () => {
    expect(compareReports(reportOf({}), reportOf({ a: fail })).regressions).toMatchObject([{ before: null }]);
  });

  it('a check that fails on another aspect has changed, and shows the new one', () => {
    const older = reportOf({ a: fail, b: { ...fail, also: 'order' }, c: fail });
    const newer = reportOf({ a: { ...fail, also: 'order' }, b: { ...fail, aspect: 'order' }, c: fail });
    const { changed, still, regressions } = compareReports(older, newer);
    expect(changed).toMatchObject([{ id: 'a', failure: { aspect: 'order' } }]);
    expect(ids(still)).toEqual(['b', 'c']);
    expect(regressions).toEqual([]);
  });

  it.each([
    ['another aspect', { aspect: 'order' }],
    ['another field', { in_question: [{ path: 'top_p', value: '2' }] }],
    ['another place', { seen_in: 'compat-a' }],
  ])('a waived failure that got worse has changed: %s', (_, more) => {
    const waived = (broken: object): Report => {
      const [check] = reportOf({ a: fail }).checks;
      const failure = { ...structuredClone(wrongParam), ...broken };
      const waiver = { reason: 'known', until: null };
      return {
        ...sampleReport(),
        checks: check === undefined ? [] : [{ ...check, verdict: 'waived', failure, waiver }],
      };
    };
    const { changed } = compareReports(waived({}), waived(more));
    expect(changed).toMatchObject([{ id: 'a', isWaived: true }]);
    expect(ids(compareReports(waived(more), waived(more)).still)).toEqual(['a']);
    expect(compareReports(reportOf({ a: pass }), waived({})).regressions).toMatchObject([{ isWaived: true }]);
  });

  it('a failed check is fixed if it is now judged without failure, and lost if it is not judged', () => {
    const older = reportOf({ a: fail, b: fail, c: fail, d: fail });
    const newer = reportOf({
      a: pass,
      b: { verdict: 'untestable', missing: ['keys.K2'] },
      c: { verdict: 'harness-error' },
    });
    const { fixed, lost } = compareReports(older, newer);
    expect(ids(fixed)).toEqual(['a']);
    expect(lost.map(({ id, after, reason }) => [id, after, reason])).toEqual([
      ['b', 'untestable', 'keys.K2'],
      ['c', 'harness-error', ''],
      ['d', null, 'not in the newer run'],
    ]);
  });

  it('new and vanished warnings are listed, and so are checks judged for the first time', () => {
    const older = reportOf({ a: pass, b: { verdict: 'warn' }, c: { verdict: 'untestable' } });
    const newer = reportOf({ a: { verdict: 'warn' }, b: pass, c: pass });
    const { warnings, gained } = compareReports(older, newer);
    expect(ids(warnings)).toEqual(['a', 'b']);
    expect(ids(gained)).toEqual(['c']);
  });

  it('observations are compared without their numbers', () => {
    const noted = (...notes: string[]): Row => ({ ...pass, notes });
    const older = reportOf({ a: noted('answers in 12.5 ms'), b: noted('code server_error') });
    const newer = reportOf({ a: noted('answers in 3 ms'), b: noted('code upstream_error') });
    expect(compareReports(older, newer).observations).toEqual([
      { id: 'b', before: ['code server_error'], after: ['code upstream_error'] },
    ]);
  });

  it('a check is slower only by both a factor and a number of seconds', () => {
    const older = reportOf({ a: { ...pass, ms: 1_000 }, b: { ...pass, ms: 10 }, c: { ...pass, ms: 9_000 } });
    const newer = reportOf({
      a: { ...pass, ms: 3_001 },
      b: { ...pass, ms: 2_000 },
      c: { ...pass, ms: 17_000 },
    });
    expect(ids(compareReports(older, newer).slower)).toEqual(['a']);
  });

  it('a run compared with itself shows no difference', () => {
    const report = sampleReport();
    const { still, ...rest } = compareReports(report, report);
    expect(Object.values(rest).flat()).toEqual([]);
    expect(still.length).toBe(report.summary.failed + report.summary.waived);
  });
});

describe('a comparison as text', () => {
  it('names each regression with its rule and replay line, and ends with the result', () => {
    const [older, newer] = [reportOf({ a: pass, b: fail }), reportOf({ a: fail, b: pass }, { size: 'full' })];
    const text = renderComparison(compareReports(older, newer), older, newer);
    expect(text).toContain('The runs differ themselves: size: quick before, full now');
    expect(text).toMatch(
      /New failures \(1\)\n {2}a \(passed before\): \S+ shape\n {4}expected .*\n {4}actual .*\n {4}npx gatecheck run/,
    );
    expect(text).toContain('Fixed (1)\n  b: failed before, passed now');
    expect(text.trimEnd().split('\n').at(-1)).toBe(
      'Worse than before: 1 new, 0 changed, 1 fixed, 0 no longer judged.',
    );
  });

  it('shows failures of one cause once, with the other checks that have it', () => {
    const [older, newer] = [reportOf({ a: pass, b: pass }), reportOf({ a: fail, b: fail })];
    const text = renderComparison(compareReports(older, newer), older, newer);
    expect(text).toMatch(/New failures \(2, causes: 1\)\n {2}a \(passed before\)[\s\S]*\n {4}also in b\n/);
    expect(text.match(/expected/g)).toHaveLength(1);
    expect(text).toContain('2 new');
  });

  it('reports that nothing got worse', () => {
    const report = reportOf({ a: pass });
    expect(headlineOf(compareReports(report, report))).toMatch(/^Nothing got worse: 0 new/);
    expect(headlineOf(compareReports(report, reportOf({})))).toMatch(/^No new failure, but less was judged/);
  });

  it('limits its lists to a readable length', () => {
    const rows = (row: Row): Report =>
      reportOf(Object.fromEntries(Array.from({ length: 40 }, (_, place) => [`c.${place}`, row])));
    const [older, newer] = [rows(fail), rows(pass)];
    expect(renderComparison(compareReports(older, newer), older, newer)).toContain('  and 10 more');
  });
});
