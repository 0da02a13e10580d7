import { expect, test } from 'vitest';
import { createRng } from '../values/seed.ts';
import { numberedText } from './numbered-text.ts';

test.each([1, 2, 3, 64, 4_000, 100_001])('gives a well-formed text of exactly %i units', (length) => {
  for (const seed of [...Array(40).keys()]) {
    const text = numberedText(createRng(seed, 'length'), length);
    expect(text).toHaveLength(length);
    expect(text.isWellFormed()).toBe(true);
    expect(text.at(-1)).toBe('.');
  }
});

test('repeats no piece of twelve units', () => {
  const text = numberedText(createRng(7, 'pieces'), 20_000).replace(/\.+$/, '');
  const pieces = Array.from({ length: text.length - 14 }, (_, at) => text.slice(at, at + 12));
  expect(new Set(pieces).size).toBe(pieces.length);
});
