import { describe, expect, it } from 'vitest';
import { patched } from '../kill-matrix/patch.ts';
import { furtherSpots } from './further-operators.ts';
import type { SourceMutant } from './source-mutant.ts';
import { allMutantsOf, canBeRead, drawSample } from './source-mutants.ts';

const path = 'gateway/x.ts';

/** The results of one of our own operators on a text, each as the complete changed text. */
function madeBy(operator: string, text: string): string[] {
  return furtherSpots({ path, text })
    .filter((spot) => spot.operator === operator)
    .map(({ start, end, replacement }) => text.slice(0, start) + replacement + text.slice(end));
}

describe('our own operators', () => {
  it.each([
    ['DroppedStatement', 'f(); throw e;', ['; throw e;', 'f(); ;']],
    ['DroppedAwait', 'await f(a); await (b ?? c);', ['f(a); await (b ?? c);']],
    ['SwappedArguments', 'f(a, b, c); g(a, () => b); h(...a, b)', ['f(b, a, c);', 'f(a, c, b);']],
    ['WrongConstant', 'f(0, 5, 7n, 0.5)', ['f(1,', 'f(0, 6,', 'f(0, 4,', '8n', '6n', 'f(0, 5, 7n, 1)']],
    ['WrongConstant', 'const a = { 400: b }; type T = 5;', []],
    [
      'RemovedField',
      'f({ a, b: 1, ...c }); g({ a })',
      ['f({ b: 1, ...c })', 'f({ a, ...c })', 'f({ a, b: 1 })'],
    ],
    ['RemovedElement', 'f([a, b]); g([a])', ['f([b])', 'f([a])']],
    ['NeighboursValue', 'f({ a: x, b: y, c: 1 })', ['f({ a: y, b: y, c: 1 })']],
    ['EarlyReturn', 'function f() { a(); b(); } function g() { a(); return 1; }', ['{ a(); return; b(); }']],
  ])('%s in %s', (operator, text, expected) => {
    const made = madeBy(operator, text);
    expect(made).toHaveLength(expected.length);
    for (const [place, part] of expected.entries()) expect(made[place]).toContain(part);
  });
});

const text = `import { z } from 'zod';

export function ask(cap: number, used: number): boolean {
  if (used >= cap) return false;
  return true;
}

export function askAgain(cap: number, used: number): boolean {
  if (used >= cap) return false;
  return true;
}
`;

describe('the mutants of a file', () => {
  it('are the same each time, with unique ids', async () => {
    const [once, again] = await Promise.all([allMutantsOf([{ path, text }]), allMutantsOf([{ path, text }])]);
    expect(once).toEqual(again);
    expect(new Set(once.map(({ id }) => id)).size).toBe(once.length);
    expect(once.map(({ operator }) => operator)).toEqual(
      expect.arrayContaining([
        'EqualityOperator',
        'ConditionalExpression',
        'BlockStatement',
        'BooleanLiteral',
      ]),
    );
  });

  it('match a unique text, even if lines repeat', async () => {
    for (const mutant of await allMutantsOf([{ path, text }]))
      expect(patched(mutant, text), mutant.id).not.toBe(text);
  });

  it('leave imports and types alone', async () => {
    const lines = (await allMutantsOf([{ path, text }])).map(({ line }) => line);
    expect(Math.min(...lines)).toBe(3);
  });

  it('can be parsed by Node', async () => {
    for (const mutant of await allMutantsOf([{ path, text }]))
      expect(canBeRead(mutant, [{ path, text }]), mutant.id).toBe(true);
  });
});

const drawnFrom = ['A', 'A', 'A', 'A', 'A', 'A', 'A', 'A', 'B', 'C'].map(
  (operator, place): SourceMutant => ({
    ...{ id: `${place}`, operator, file: 'gateway/x.ts', line: place, offset: place },
    ...{ find: 'a', replace: 'b' },
  }),
);
const suits = (): boolean => true;
const idsOf = (seed: number, count: number): string[] =>
  drawSample(drawnFrom, { seed, count, suits }).map(({ id }) => id);

describe('a sample', () => {
  it('follows from the seed', () => {
    expect(idsOf(7, 5)).toEqual(idsOf(7, 5));
    expect(idsOf(7, 5)).not.toEqual(idsOf(8, 5));
  });

  it('begins as a smaller one of the same seed', () => {
    expect(idsOf(7, 8).slice(0, 4)).toEqual(idsOf(7, 4));
  });

  it('lets operators take turns', () => {
    for (const seed of [1, 2, 3]) {
      const first = drawSample(drawnFrom, { seed, count: 3, suits }).map(({ operator }) => operator);
      expect(first.toSorted()).toEqual(['A', 'B', 'C']);
    }
  });

  it('ends when there are no more', () => {
    expect(idsOf(7, 99).toSorted()).toEqual(drawnFrom.map(({ id }) => id));
  });
});
