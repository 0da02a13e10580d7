import { expect, it } from 'vitest';
import { memberDifference, valueDifference } from './same-json.ts';

it('finds no difference between two spellings of one value', () => {
  expect(memberDifference('{"a":{"x":1e2,"y":[1]}}', '{"b":1,"a":{"y":[1.0],"x":100}}', 'a')).toBeNull();
});

it('distinguishes integers that a double cannot', () => {
  expect(memberDifference('{"a":9007199254740993}', '{"a":9007199254740992}', 'a')?.path).toBe('a');
});

it('names the path of a missing member, and of a new one', () => {
  expect(memberDifference('{"a":{"x":[{"y":1}]}}', '{"a":{"x":[{}]}}', 'a')).toMatchObject({
    path: 'a.x[0].y',
    actual: '(absent)',
  });
  expect(memberDifference('{"a":{}}', '{"a":{"z":null}}', 'a')?.path).toBe('a.z');
});

it('respects the order of an array', () => {
  expect(valueDifference([1, 2], [2, 1], 'list')?.path).toBe('list[0]');
});

it('distinguishes an empty object from an empty list', () => {
  expect(valueDifference({}, [], 'value')).not.toBeNull();
});

it('treats a member that both bodies lack as equal', () => {
  expect(memberDifference('{"b":1}', '{"b":2}', 'a')).toBeNull();
});
