import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { countTokens, cutIntoPieces, firstTokens } from './tokens.ts';

const text = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.string({ unit: 'grapheme' }),
  fc
    .array(
      fc.constantFrom(' ', '\n', 'word', 'a-very-long-word-indeed', '.', '{"a":1}', 'ü', '日本', '👩‍👩‍👧'),
    )
    .map((parts) => parts.join('')),
  fc.array(fc.constantFrom('\ud800', '\udc00', 'a', ' ')).map((parts) => parts.join('')),
);

/** The documented rule as a pattern. */
const piece = / ?[\p{L}\p{M}\p{N}_]{1,8}| ?[^\s\p{L}\p{M}\p{N}_]|\s/gu;

describe('the token rule', () => {
  it('matches its pattern', () => {
    fc.assert(
      fc.property(text, (given) => {
        expect(cutIntoPieces(given)).toEqual(given.match(piece) ?? []);
      }),
      { numRuns: 2_000 },
    );
  });

  it('splits a text into pieces that join to the text', () => {
    fc.assert(
      fc.property(text, (given) => cutIntoPieces(given).join('') === given),
      { numRuns: 500 },
    );
  });

  it('counts one token per piece', () => {
    fc.assert(
      fc.property(text, (given) => countTokens(given) === cutIntoPieces(given).length),
      { numRuns: 500 },
    );
  });

  it('keeps exactly the first pieces when it cuts a text', () => {
    fc.assert(
      fc.property(text, fc.nat(30), (given, limit) => {
        const kept = firstTokens(given, limit);
        expect(cutIntoPieces(kept)).toEqual(cutIntoPieces(given).slice(0, limit));
      }),
      { numRuns: 500 },
    );
  });
});
