import { expect, it } from 'vitest';
import { memberDifference, valueDifference } from './same-json.ts';

it('finds nothing between two spellings of the same value', () => {
  expect(memberDifference('{"a":{"x":1e2,"y":[1]}}', '{"b":1,"a":{"y":[1.0],"x":100}}', 'a')).toBeNull();
});

it('tells integers apart that a double cannot', () => {
  expect(memberDifference('{"a":9007199254740993}', '{"a":9007199254740992}', 'a')?.path).toBe('a');
});

it('names the place of a member that is missing, and of one that is new', () => {
  expect(memberDifference('{"a":{"x":[{"y":1}]}}', '{"a":{"x":[{}]}}', 'a')).toMatchObject({
    path: 'a.x[0].y',
    actual: '(absent)',
  });
  expect(memberDifference('{"a":{}}', '{"a":{"z":null}}', 'a')?.path).toBe('a.z');
});

it('minds the order of an array', () => {
  expect(valueDifference([1, 2], [2, 1], 'list')?.path).toBe('list[0]');
});

it('tells an empty object from an empty list', () => {
  expect(valueDifference({}, [], 'value')).not.toBeNull();
});

it('takes a member that neither body has for equal', () => {
  expect(memberDifference('{"b":1}', '{"b":2}', 'a')).toBeNull();
});
