import fc from 'fast-check';
import { expect, it } from 'vitest';
import { cutText, fragmentedText } from './fragmented-text.ts';

it('cuts at the given places, even inside a character, without empty fragments', () => {
  expect(cutText('a🌊b', [3, 0, 2, 3, 4, 9])).toEqual({
    text: 'a🌊b',
    fragments: ['a\ud83c', '\udf0a', 'b'],
  });
  expect(cutText('ab', [])).toEqual({ text: 'ab', fragments: ['ab'] });
});

it('draws well-formed texts whose fragments join to them', () => {
  fc.assert(
    fc.property(fragmentedText, ({ text, fragments }) => {
      expect(fragments.join('')).toBe(text);
      expect(text.isWellFormed()).toBe(true);
      expect(text.length).toBeGreaterThan(0);
      expect(text).not.toContain('\u0000');
      expect(fragments).not.toContain('');
    }),
    { seed: 1 },
  );
});
