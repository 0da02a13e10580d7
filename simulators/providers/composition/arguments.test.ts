import { expect, it } from 'vitest';
import { argumentsAsObject } from './arguments.ts';

it('makes an empty object of arguments that are none', () => {
  expect(argumentsAsObject('{"a":[1]}')).toEqual({ a: [1] });
  expect(JSON.stringify(argumentsAsObject('{"n":9007199254740993,"tiny":1e-7}'))).toBe(
    '{"n":9007199254740993,"tiny":1e-7}',
  );
  expect(['', '{"a":', '[1]', 'null', '5'].map(argumentsAsObject)).toEqual([{}, {}, {}, {}, {}]);
});
