import type { Failure, Verdict } from 'gatecheck-reports/report';
import { describe, expect, it } from 'vitest';
import { type Check, defineCheck } from '../../suites/engine/check.ts';
import type { JobResult } from '../../suites/runner/run-input.ts';
import type { Mutant, Variant } from '../edits/mutant.ts';
import { buildMatrix, type Matrix, type MatrixFacts, unproven } from './matrix.ts';
import { referenceTarget, targetOf } from './plan.ts';

const check = (id: string, ...requirements: [string, ...string[]]): Check =>
  defineCheck({
    id: `t.${id}`,
    title: id,
    requirements,
    kind: 'example',
    needs: [],
    run: async () => undefined,
  });

const a = check('a', 'R-1', 'R-2');
const b = check('b', 'R-1');
const mutant: Mutant = {
  id: 'm.one',
  title: 'broken',
  requirement: 'R-1',
  aspect: 'x',
  kind: 'front',
  mutation: {},
};
const variant: Variant = { id: 'v.one', title: 'other', mutation: {} };

function result(
  target: string,
  of: Check,
  verdict: Verdict,
  found?: [requirement: string, aspect: string],
): JobResult {
  const failure = found && ({ requirement: found[0], aspect: found[1], actual: 'seen' } as Failure);
  return {
    target,
    id: of.id,
    title: '',
    area: 'T',
    requirements: [...of.requirements],
    level: 'MUST',
    verdict,
    evidence: { cases: 1, exchanges: 1, cases_digest: '', notes: [], missing: [], property: null },
    duration_ms: 1,
    ...(failure ? { failure } : {}),
  };
}

const onMutant = targetOf('mutant', mutant.id);
const onVariant = targetOf('variant', variant.id);
const base = [result(referenceTarget, a, 'pass'), result(referenceTarget, b, 'pass')];
const kills = [result(onMutant, a, 'fail', ['R-1', 'x']), result(onMutant, b, 'fail', ['R-1', 'x'])];
const quiet = [result(onVariant, a, 'pass'), result(onVariant, b, 'pass')];

function matrixOf(results: readonly JobResult[], more: Partial<MatrixFacts> = {}): Matrix {
  return buildMatrix({
    checks: [a, b],
    onlyMutants: false,
    everyCheck: [a, b],
    mutants: [mutant],
    variants: [variant],
    results,
    faults: new Map(),
    unsteady: new Set(),
    ...more,
  });
}

describe('a matrix of some checks', () => {
  it('does not count a mutant as missed that only an unselected check could have killed', () => {
    const other = [result(onMutant, a, 'fail', ['R-1', 'another'])];
    const missed = (everyCheck: MatrixFacts['everyCheck']): string[] =>
      matrixOf([...base, ...other, ...quiet], { checks: [a], everyCheck }).gaps.filter((gap) =>
        gap.includes('m.one'),
      );
    expect(missed([a])).toHaveLength(1);
    expect(missed([a, b])).toEqual([]);
  });
});

describe('a matrix', () => {
  it('is complete when a mutant fails every check for the named reason, and the reference and its variants fail none', () => {
    const matrix = matrixOf([...base, ...kills, ...quiet]);
    expect(matrix.gaps).toEqual([]);
    expect(matrix.mutants[0]).toMatchObject({
      killed_by: ['t.a', 't.b'],
      named_reason: true,
      other_failures: [],
    });
    expect(matrix.checks).toEqual([
      { id: 't.a', killed: ['m.one'] },
      { id: 't.b', killed: ['m.one'] },
    ]);
  });

  it.each([
    { name: 'another aspect', found: ['R-1', 'y'] as [string, string] },
    { name: 'another requirement', found: ['R-2', 'x'] as [string, string] },
  ])('does not count a failure of $name', ({ found }) => {
    const matrix = matrixOf([
      ...base,
      result(onMutant, a, 'fail', found),
      result(onMutant, b, 'pass'),
      ...quiet,
    ]);
    expect(matrix.mutants[0]).toMatchObject({ killed_by: [], named_reason: false });
    expect(matrix.mutants[0]?.other_failures).toMatchObject([{ check: 't.a', aspect: found[1] }]);
    expect(matrix.gaps).toHaveLength(3);
    expect(matrix.gaps[0]).toContain('m.one was not killed for its named reason');
    expect(unproven([a, b], matrix)).toEqual([a, b]);
  });

  it('does not count a kill by a check that does not pass on the reference', () => {
    const broken = [result(referenceTarget, a, 'fail', ['R-1', 'x']), result(referenceTarget, b, 'pass')];
    const matrix = matrixOf([...broken, ...kills, ...quiet]);
    expect(matrix.mutants[0]?.killed_by).toEqual(['t.b']);
    expect(matrix.gaps).toEqual([
      expect.stringContaining('t.a does not pass on the reference'),
      expect.stringContaining('t.a was turned red by no mutant'),
    ]);
  });

  it('asks no kill of each check where only mutants are in question', () => {
    const spared = [result(onMutant, a, 'fail', ['R-1', 'x']), result(onMutant, b, 'pass')];
    const question = { variants: [], onlyMutants: true };
    expect(matrixOf([...base, ...spared], question).gaps).toEqual([]);
    expect(matrixOf([...base, ...spared], { variants: [] }).gaps).toEqual([
      expect.stringContaining('t.b was turned red by no mutant'),
    ]);
    const missed = [result(onMutant, a, 'pass'), result(onMutant, b, 'pass')];
    expect(matrixOf([...base, ...missed], question).gaps).toEqual([
      expect.stringContaining('the mutant m.one was not killed'),
    ]);
  });

  it('counts a warning as a failure on a mutant, and on a variant without such advice', () => {
    const warned = [result(onMutant, a, 'warn', ['R-1', 'x']), result(onMutant, b, 'warn', ['R-1', 'x'])];
    const alarm = [result(onVariant, a, 'warn', ['R-2', 'z']), result(onVariant, b, 'pass')];
    const matrix = matrixOf([...base, ...warned, ...alarm]);
    expect(matrix.mutants[0]?.killed_by).toEqual(['t.a', 't.b']);
    expect(matrix.variants[0]).toMatchObject({
      false_alarms: ['t.a'],
      alarms: [{ requirement: 'R-2', aspect: 'z' }],
    });
    expect(matrix.gaps).toEqual([expect.stringContaining('false alarm: t.a')]);
    const declared = matrixOf([...base, ...warned, ...alarm], {
      variants: [{ ...variant, advised: ['R-2 z'] }],
    });
    expect(declared.gaps).toEqual([]);
  });

  it('never counts a failure on a variant as advice', () => {
    const alarm = [result(onVariant, a, 'fail', ['R-2', 'z']), result(onVariant, b, 'harness-error')];
    const matrix = matrixOf([...base, ...kills, ...alarm], {
      variants: [{ ...variant, advised: ['R-2 z'] }],
    });
    expect(matrix.variants[0]?.false_alarms).toEqual(['t.a', 't.b']);
  });

  it('counts a mutant as missed only when every check that could kill it has judged it', () => {
    const matrix = matrixOf([...base, result(onMutant, a, 'pass'), ...quiet]);
    expect(matrix.mutants).toEqual([]);
    expect(matrix.gaps.filter((gap) => gap.includes('the mutant'))).toEqual([]);
  });

  it('accepts a pass on a variant in place of the reference if that was not run, but no other verdict', () => {
    const [onlyA] = base;
    const passed = matrixOf([onlyA as JobResult, ...kills, ...quiet]);
    expect(passed).toMatchObject({ gaps: [], mutants: [{ killed_by: ['t.a', 't.b'] }] });
    const alarmed = matrixOf([onlyA as JobResult, ...kills, result(onVariant, b, 'fail', ['R-1', 'y'])]);
    expect(alarmed.variants).toMatchObject([{ false_alarms: ['t.b'] }]);
    expect(alarmed.mutants).toMatchObject([{ killed_by: ['t.a'] }]);
    expect(alarmed.gaps).toHaveLength(2);
  });

  it('names mutants that failed to run, and checks and variants that were not run', () => {
    const matrix = matrixOf([base[0] as JobResult], { faults: new Map([['m.one', 'no such place']]) });
    expect(matrix.gaps).toEqual([
      't.b was run on no gateway without a defect',
      'the mutant m.one could not be run: no such place',
      't.a was turned red by no mutant for the named reason',
      't.b was turned red by no mutant for the named reason',
      'the variant v.one was judged by no check',
    ]);
  });
});
