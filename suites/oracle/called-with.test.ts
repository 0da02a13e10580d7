import { expect, it } from 'vitest';
import { calledWith } from './called-with.ts';

it('white space does not count, digits and the order of a list do', () => {
  expect(calledWith('{\n "a": [1, 2]}')).toEqual(calledWith('{"a":[1,2]}'));
  expect(calledWith('{"a":[2,1]}')).not.toEqual(calledWith('{"a":[1,2]}'));
  expect(calledWith('{"a":12345678901234567891}')).not.toEqual(calledWith('{"a":12345678901234567890}'));
});

it('what is no JSON stands for itself', () => {
  expect([calledWith('{"a":'), calledWith('')]).toEqual(['{"a":', '']);
});
