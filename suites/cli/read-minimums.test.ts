import { expect, it } from 'vitest';
import { UsageError } from '../process/exit-codes.ts';
import { readMinimums } from './read-minimums.ts';

it('accepts profiles with and without a share', () => {
  expect(readMinimums('core-chat, tasks:80')).toEqual({ 'core-chat': 100, tasks: 80 });
});

it.each([
  ['streeming', 'did you mean streaming?'],
  ['tasks:0', 'from 1 to 100'],
  ['tasks:101', 'from 1 to 100'],
  ['tasks:many', 'from 1 to 100'],
  [' , ', 'at least one of core-chat'],
])('rejects %s', (text, message) => {
  expect(() => readMinimums(text)).toThrow(UsageError);
  expect(() => readMinimums(text)).toThrow(message);
});
