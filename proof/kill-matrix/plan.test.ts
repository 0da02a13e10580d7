import { describe, expect, it } from 'vitest';
import { type Check, defineCheck } from '../../suites/engine/check.ts';
import type { Mutant } from '../edits/mutant.ts';
import { inBatches, type Pairing, pairKey, planAll, planFew } from './plan.ts';

const check = (id: string, requirements: [string, ...string[]], raw?: true): Check =>
  defineCheck({
    id: `t.${id}`,
    title: id,
    requirements,
    kind: 'example',
    needs: [],
    run: async () => undefined,
    ...(raw ? { raw } : {}),
  });

const mutant = (id: string, requirement: string, kind: 'front' | 'upstream' | 'source' = 'front'): Mutant => {
  const defect = { id, title: id, requirement, aspect: 'a' };
  return kind === 'source'
    ? { ...defect, kind, file: 'f', find: 'x', replace: 'y' }
    : { ...defect, kind, mutation: {} };
};

const shown = (plan: readonly Pairing[]): string[] =>
  plan.map((one) => `${one.mutant.id}: ${one.checks.map(({ id }) => id).join(' ')}`);

const a = check('a', ['R-1', 'R-9']);
const b = check('b', ['R-2', 'R-9']);
const c = check('c', ['R-3']);

describe('the full plan', () => {
  it('runs each mutant on all checks of its requirement, and leaves out mutants of no selected check', () => {
    const plan = planAll([mutant('wide', 'R-9'), mutant('one', 'R-1'), mutant('foreign', 'R-7')], [a, b, c]);
    expect(shown(plan)).toEqual(['wide: t.a t.b', 'one: t.a']);
  });

  it('never sends a check that speaks below HTTP to a proxy in front', () => {
    const raw = check('raw', ['R-1'], true);
    const plan = planAll(
      [mutant('f', 'R-1'), mutant('u', 'R-1', 'upstream'), mutant('s', 'R-1', 'source')],
      [raw],
    );
    expect(shown(plan)).toEqual(['u: t.raw', 's: t.raw']);
  });
});

describe('the quick plan', () => {
  it('takes the mutant that serves most checks first, and no mutant that serves none', () => {
    const mutants = [
      mutant('one', 'R-1'),
      mutant('wide', 'R-9'),
      mutant('three', 'R-3'),
      mutant('again', 'R-3'),
    ];
    expect(shown(planFew(mutants, [a, b, c], new Set(), 1))).toEqual(['wide: t.a t.b', 'three: t.c']);
  });

  it('prefers the cheaper of two equal mutants', () => {
    const mutants = [mutant('s', 'R-3', 'source'), mutant('u', 'R-3', 'upstream'), mutant('f', 'R-3')];
    expect(shown(planFew(mutants, [c], new Set(), 1))).toEqual(['f: t.c']);
  });

  it('starts a separate gateway only for checks that nothing else serves', () => {
    const raw = check('raw', ['R-9'], true);
    const mutants = [mutant('s', 'R-9', 'source'), mutant('one', 'R-1'), mutant('two', 'R-2')];
    expect(shown(planFew(mutants, [a, b, raw], new Set(), 1))).toEqual(['one: t.a', 'two: t.b', 's: t.raw']);
  });

  it('tries known kills first, if their mutants still exist', () => {
    const mutants = [mutant('wide', 'R-9'), mutant('one', 'R-1'), mutant('two', 'R-2')];
    const guess = new Map([
      ['t.a', ['one', 'gone']],
      ['t.b', ['gone']],
    ]);
    expect(shown(planFew(mutants, [a, b], new Set(), 1, guess))).toEqual(['wide: t.b', 'one: t.a']);
  });

  it('continues with the mutants that a check has not run on', () => {
    const mutants = [
      mutant('wide', 'R-9'),
      mutant('one', 'R-1'),
      mutant('more', 'R-1'),
      mutant('last', 'R-1'),
    ];
    const met = new Set([pairKey('mutant:wide', 't.a'), pairKey('mutant:wide', 't.b')]);
    expect(shown(planFew(mutants, [a], met, 2))).toEqual(['one: t.a', 'more: t.a']);
  });

  it('is empty when a check has run on all its mutants', () => {
    expect(planFew([mutant('three', 'R-3')], [c], new Set([pairKey('mutant:three', 't.c')]), 4)).toEqual([]);
  });
});

describe('batches', () => {
  it('use at most the tenants and gateways available, with everything else in the first batch', () => {
    const plan = ['front', 'source', 'source', 'upstream', 'source', 'upstream', 'front'] as const;
    const batches = inBatches(
      plan.map((kind, index) => ({ mutant: mutant(`${kind}-${index}`, 'R-1', kind), checks: [a] })),
      { upstream: 1, source: 2 },
    );
    expect(batches.map((batch) => batch.map((one) => one.mutant.id))).toEqual([
      ['front-0', 'source-1', 'source-2', 'upstream-3', 'front-6'],
      ['source-4', 'upstream-5'],
    ]);
  });
});
