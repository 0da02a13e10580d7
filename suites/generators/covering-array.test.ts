import { describe, expect, test } from 'vitest';
import { createRng } from '../values/seed.ts';
import { coveringArray, type Strength } from './covering-array.ts';

const factors = {
  protocol: ['core', 'compat-a', 'compat-b'],
  stream: [false, true],
  temperature: [undefined, 0, 0.7, 2],
  stop: ['absent', 'one', 'four'],
  place: ['first', 'last'],
  case: ['lower', 'upper'],
} as const;

const names = Object.keys(factors) as (keyof typeof factors)[];

function groupsOf(strength: Strength): (keyof typeof factors)[][] {
  if (strength === 1) return names.map((one) => [one]);
  const pairs = names.flatMap((one, at) => names.slice(at + 1).map((other) => [one, other]));
  if (strength === 2) return pairs;
  return pairs.flatMap((pair) =>
    names.slice(names.indexOf(pair[1] ?? 'case') + 1).map((third) => [...pair, third]),
  );
}

describe.each([1, 2, 3] as const)('strength %i', (strength) => {
  const rows = coveringArray(factors, createRng(5, 'array'), strength);

  test('contains every combination', () => {
    for (const group of groupsOf(strength)) {
      const seen = new Set(rows.map((row) => JSON.stringify(group.map((name) => String(row[name])))));
      expect(seen.size, group.join(', ')).toBe(
        group.reduce((count, name) => count * factors[name].length, 1),
      );
    }
  });

  test('is close to the smallest possible size', () => {
    const largest = { 1: 4, 2: 12, 3: 36 }[strength];
    expect(rows.length).toBeGreaterThanOrEqual(largest);
    expect(rows.length).toBeLessThanOrEqual(largest * 1.7);
  });

  test('is the same for the same seed, and differs for another seed', () => {
    expect(coveringArray(factors, createRng(5, 'array'), strength)).toEqual(rows);
    expect(coveringArray(factors, createRng(6, 'array'), strength)).not.toEqual(rows);
  });
});

test('has a row for each value of a single factor, and at most one without factors', () => {
  expect(coveringArray({ only: ['a', 'b'] }, createRng(1, 'one'))).toHaveLength(2);
  expect(coveringArray({}, createRng(1, 'none')).length).toBeLessThanOrEqual(1);
});
