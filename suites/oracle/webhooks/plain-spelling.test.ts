import { expect, it } from 'vitest';
import { plainHost, plainSpelling } from './plain-spelling.ts';

it.for([
  ['/caf%c3%a9/%7euser', '/caf%C3%A9/~user'],
  ['/x%2fy?q=%41%2b', '/x%2Fy?q=A%2B'],
  ['/a%25b%zz', '/a%25b%zz'],
] as const)('writes %s as %s', ([written, plain]) => {
  expect(plainSpelling(written)).toBe(plain);
});

it('omits the default port of https', () => {
  expect(['Hooks.Example:443', 'hooks.example:8443'].map(plainHost)).toEqual([
    'hooks.example',
    'hooks.example:8443',
  ]);
});
