import { expect, it } from 'vitest';
import { roundRobin } from './round-robin.ts';

it('takes one of each list in turn, as long as there are any', () => {
  expect(roundRobin([['a1', 'a2', 'a3'], [], ['b1'], ['c1', 'c2']])).toEqual([
    'a1',
    'b1',
    'c1',
    'a2',
    'c2',
    'a3',
  ]);
  expect(roundRobin([])).toEqual([]);
});
