import { expect, test } from 'vitest';
import { createRng } from '../values/seed.ts';
import { numberedText } from './numbered-text.ts';

test.each([1, 2, 3, 64, 4_000, 100_001])(
  'a text of %i units has this length and is well formed',
  (length) => {
    for (const seed of [...Array(40).keys()]) {
      const text = numberedText(createRng(seed, 'length'), length);
      expect(text).toHaveLength(length);
      expect(text.isWellFormed()).toBe(true);
      expect(text.at(-1)).toBe('.');
    }
  },
);

test('no piece of twelve units occurs twice', () => {
  const text = numberedText(createRng(7, 'pieces'), 20_000).replace(/\.+$/, '');
  const pieces = Array.from({ length: text.length - 14 }, (_, at) => text.slice(at, at + 12));
  expect(new Set(pieces).size).toBe(pieces.length);
});
