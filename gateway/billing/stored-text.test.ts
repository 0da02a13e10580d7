import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeEntries, decodeText, encodeEntries, encodeText } from './stored-text.ts';

/** Any sequence of code units, those that PostgreSQL refuses often among them. */
const anyText = fc
  .array(
    fc.oneof(fc.constantFrom(0, 0x1a, 0xd800, 0xdfff, 0x30, 0x61), fc.integer({ min: 0, max: 0xffff })),
    {
      maxLength: 30,
    },
  )
  .map((units) => String.fromCharCode(...units));

describe('stored text', () => {
  it('is the text itself when the database can hold it', () => {
    for (const text of ['', 'plain', 'naïve 文 🎈', '\u0001\t\n\\"\'', '\u{10ffff}']) {
      expect(encodeText(text)).toBe(text);
    }
  });

  it.each([
    ['NUL', 'a\0b', 'a\u001a0000b'],
    ['a lone high surrogate', 'a\ud83d', 'a\u001ad83d'],
    ['a lone low surrogate', '\udc00b', '\u001adc00b'],
    ['two surrogates in the wrong order', '\udc00\ud83d', '\u001adc00\u001ad83d'],
    ['the escape character', '\u001a', '\u001a001a'],
  ])('writes %s as its code', (_what, text, stored) => {
    expect(encodeText(text)).toBe(stored);
  });

  it('can be stored, and reads back unchanged', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const stored = encodeText(text);
        expect(stored.isWellFormed() && !stored.includes('\0')).toBe(true);
        expect(decodeText(stored)).toBe(text);
      }),
      { seed: 3, numRuns: 1_000 },
    );
  });

  it('keeps different keys of an object different', () => {
    fc.assert(
      fc.property(fc.dictionary(anyText, anyText, { noNullPrototype: true }), (entries) => {
        expect(decodeEntries(encodeEntries(entries))).toEqual(entries);
      }),
      { seed: 4 },
    );
  });
});
