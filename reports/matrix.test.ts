import { expect, it } from 'vitest';
import { matrixOf, partsOf, sortedPlaces } from './matrix.ts';
import type { CheckResult, Report } from './report.ts';
import { sampleReport } from './testing/sample-report.ts';

/** Checks of one rule, each with its calls. */
function reportOf(...checks: Partial<CheckResult>[]): Pick<Report, 'checks' | 'requirements'> {
  const { checks: all, requirements } = sampleReport();
  const [check] = all;
  const [rule] = requirements;
  if (check === undefined || rule === undefined) throw new TypeError('the sample has checks');
  const made = checks.map((one, at) => ({ ...check, id: `c-${at}`, ...one }));
  return { checks: made, requirements: [{ ...rule, checks: made.map(({ id }) => id) }] };
}

function calling(places: Record<string, number>): Pick<CheckResult, 'evidence'> {
  const [check] = sampleReport().checks;
  if (check === undefined) throw new TypeError('the sample has checks');
  return { evidence: { ...check.evidence, places } };
}

function seenIn(place: string, requirement = 'AUTH-001'): NonNullable<CheckResult['failure']> {
  const { failure } = sampleReport().checks.find(({ id }) => id === 'sse.unbuffered') ?? {};
  if (failure === undefined) throw new TypeError('the sample has failures');
  return { ...failure, requirement, seen_in: place };
}

function verdicts(report: Pick<Report, 'checks' | 'requirements'>): Record<string, [string, number]> {
  const [row] = matrixOf(report).rows;
  return Object.fromEntries(
    [...(row?.cells ?? [])].map(([place, { verdict, calls }]) => [place, [verdict, calls]]),
  );
}

it('adds up the calls of all checks of a rule, and omits places without calls', () => {
  const report = reportOf(
    calling({ 'core, alpha': 2 }),
    { ...calling({ 'core, alpha': 3, models: 1 }) },
    { ...calling({}), verdict: 'untestable' },
  );
  expect(verdicts(report)).toEqual({ 'core, alpha': ['pass', 5], models: ['pass', 1] });
});

it('puts a failure at its place, and leaves other places of that check open', () => {
  const places = calling({ 'core, alpha': 4, 'core, beta': 4 });
  const broken: Partial<CheckResult> = { ...places, verdict: 'fail', failure: seenIn('core, beta') };
  expect(verdicts(reportOf(broken))).toEqual({ 'core, alpha': ['open', 4], 'core, beta': ['fail', 4] });
  expect(verdicts(reportOf(broken, calling({ 'core, alpha': 1 })))).toEqual({
    'core, alpha': ['pass', 5],
    'core, beta': ['fail', 4],
  });
});

it('marks a place as open if a check of the rule broke another rule there', () => {
  const broken: Partial<CheckResult> = {
    ...calling({ 'core, alpha': 4 }),
    verdict: 'fail',
    failure: seenIn('core, alpha', 'ERR-002'),
  };
  expect(verdicts(reportOf(broken))).toEqual({ 'core, alpha': ['open', 4] });
});

it('shows a failure at a place without counted calls', () => {
  expect(verdicts(reportOf({ ...calling({}), verdict: 'fail', failure: seenIn('images') }))).toEqual({
    images: ['fail', 0],
  });
});

it('counts rules that were judged without a call', () => {
  const { rows, placeless } = matrixOf(reportOf(calling({})));
  expect([rows, placeless]).toEqual([[], 1]);
});

it('splits places, and sorts them by entry point', () => {
  expect(['core', 'core, stream', 'core, beta', 'core, stream, beta'].map(partsOf)).toEqual([
    { way: 'core', family: null },
    { way: 'core, stream', family: null },
    { way: 'core', family: 'beta' },
    { way: 'core, stream', family: 'beta' },
  ]);
  const shuffled = ['models', 'task reads', 'core, stream, alpha', 'tasks, video', 'core, beta', 'images'];
  expect(sortedPlaces(new Set(shuffled))).toEqual([
    'core, beta',
    'core, stream, alpha',
    'images',
    'tasks, video',
    'task reads',
    'models',
  ]);
});
