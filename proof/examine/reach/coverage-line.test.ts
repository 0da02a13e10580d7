import { describe, expect, it } from 'vitest';
import { hasRun, type Range } from './coverage-line.ts';

/** A module, a function in it that was called twice, and a branch that was not taken. */
const ranges: Range[] = [
  [0, 100, 1],
  [10, 50, 2],
  [20, 30, 0],
];

describe('a place of a file', () => {
  it.each([
    { name: 'in a function that was called', offset: 10, ran: true },
    { name: 'in a branch that was not taken', offset: 20, ran: false },
    { name: 'behind that branch', offset: 30, ran: true },
    { name: 'in the module itself', offset: 99, ran: true },
    { name: 'that nothing tells of', offset: 100, ran: false },
  ])('$name: $ran', ({ offset, ran }) => expect(hasRun(ranges, offset)).toBe(ran));

  it('ran when the rest of its function goes on after a pause', () => {
    expect(hasRun([...ranges.slice(0, 1), [10, 50, 0], [40, 50, 1]], 45)).toBe(true);
  });
});
