import { describe, expect, it } from 'vitest';
import { drawSample } from './sample.ts';
import type { SourceMutant } from './source-mutant.ts';

const mutants = ['A', 'A', 'A', 'A', 'A', 'A', 'A', 'A', 'B', 'C'].map(
  (operator, place): SourceMutant => ({
    ...{ id: `${place}`, operator, file: 'gateway/x.ts', line: place, offset: place },
    ...{ find: 'a', replace: 'b' },
  }),
);
const suits = (): boolean => true;
const idsOf = (seed: number, count: number): string[] =>
  drawSample(mutants, { seed, count, suits }).map(({ id }) => id);

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
      const first = drawSample(mutants, { seed, count: 3, suits }).map(({ operator }) => operator);
      expect(first.toSorted()).toEqual(['A', 'B', 'C']);
    }
  });

  it('ends when there are no more', () => {
    expect(idsOf(7, 99).toSorted()).toEqual(mutants.map(({ id }) => id));
  });

  it('leaves out what does not suit', () => {
    const drawn = drawSample(mutants, { seed: 7, count: 99, suits: ({ operator }) => operator !== 'A' });
    expect(drawn.map(({ operator }) => operator).toSorted()).toEqual(['B', 'C']);
  });
});
