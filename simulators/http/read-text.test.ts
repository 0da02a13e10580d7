import { expect, it } from 'vitest';
import { readText, TooLarge } from './read-text.ts';

it('reads a file whole, and nothing without an end', () => {
  const own = import.meta.filename;
  expect(readText(own, 10_000)).toContain('nothing without an end');
  expect(readText('/dev/null', 10)).toBe('');
  expect(() => readText(own, 100)).toThrow(TooLarge);
  expect(() => readText('/dev/zero', 1_000_000)).toThrow(TooLarge);
});
