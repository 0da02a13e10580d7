import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { TextCutter } from './text-cutter.ts';

/** What a cutter lets out of a text that comes in these pieces. */
function cut(stops: readonly string[], pieces: readonly string[]): { text: string; isCut: boolean } {
  const cutter = new TextCutter(stops);
  const text = pieces.map((piece) => cutter.take(piece)).join('');
  return { text: text + cutter.release(), isCut: cutter.isCut };
}

/** The same by its definition: up to the first place where a stop is complete, without the longest that is. */
function cutWhole(stops: readonly string[], text: string): { text: string; isCut: boolean } {
  for (let end = 1; end <= text.length; end += 1) {
    const complete = stops.filter((stop) => text.slice(0, end).endsWith(stop));
    if (complete.length === 0) continue;
    const longest = Math.max(...complete.map((stop) => stop.length));
    return { text: text.slice(0, end - longest), isCut: true };
  }
  return { text, isCut: false };
}

// Few letters, so that stops come often and overlap; half of a pair is a letter too.
const letters = fc.constantFrom('a', 'b', '\n', ' ', '😀', '\ud83d');
const text = fc.string({ unit: letters, maxLength: 40 });
const stops = fc.array(fc.string({ unit: letters, minLength: 1, maxLength: 6 }), {
  minLength: 1,
  maxLength: 4,
});

describe('a text with stops', () => {
  it('is cut the same in whatever pieces it comes', () => {
    fc.assert(
      fc.property(stops, text, fc.array(fc.nat(50)), (given, whole, places) => {
        const at = [0, ...places.map((place) => Math.min(place, whole.length)), whole.length];
        const sorted = at.toSorted((one, other) => one - other);
        const pieces = sorted.slice(1).map((place, i) => whole.slice(sorted[i], place));
        const expected = cutWhole(given, whole);
        expect(cut(given, pieces)).toEqual(expected);
        expect(cut(given, whole.split(''))).toEqual(expected);
        expect(cut(given, [whole])).toEqual(expected);
      }),
      { numRuns: 500 },
    );
  });

  it.for<[string[], string[], string[]]>([
    // Nothing but a possible beginning is held back, and no longer than it is one.
    [['\n\n'], ['a\n', 'b', '\n', '\n', 'c'], ['a', '\nb', '', '', '']],
    [['\n'], ['a', '\nb'], ['a', '']],
    [['aab'], ['a', 'a', 'a', 'b'], ['', '', 'a', '']],
    [['abac'], ['aba', 'bac', 'x'], ['', 'ab', '']],
    [['😀'], ['a\ud83d', '\ude01\ud83d', '\ude00'], ['a', '\ud83d\ude01', '']],
    // The first that is complete counts, and of two at once the longer.
    [
      ['abcd', 'bc'],
      ['ab', 'cd'],
      ['', 'a'],
    ],
    [
      ['c', 'bc'],
      ['ab', 'c'],
      ['a', ''],
    ],
    [['x'], ['', 'a', ''], ['', 'a', '']],
  ])('%j lets out of %j: %j', ([given, pieces, shown]) => {
    const cutter = new TextCutter(given);
    expect(pieces.map((piece) => cutter.take(piece))).toEqual(shown);
  });

  it('that ends in the beginning of one is whole', () => {
    expect(cut(['\n\n', ' \n '], ['a \n'])).toEqual({ text: 'a \n', isCut: false });
  });

  it('stays quick with a long stop and a text that keeps almost being it', () => {
    const stop = `${' '.repeat(200_000)}x`;
    const pieces = Array.from({ length: 4000 }, () => ' '.repeat(100));
    const cutter = new TextCutter([stop]);
    const out = pieces.reduce((length, piece) => length + cutter.take(piece).length, 0);
    expect(out + cutter.release().length).toBe(400_000);
    expect(cutter.isCut).toBe(false);
  });
});
