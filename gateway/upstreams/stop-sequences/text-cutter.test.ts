import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { TextCutter } from './text-cutter.ts';

/** The output of a cutter for a text in these pieces. */
function cut(stops: readonly string[], pieces: readonly string[]): { text: string; isCut: boolean } {
  const cutter = new TextCutter(stops);
  const text = pieces.map((piece) => cutter.take(piece)).join('');
  return { text: text + cutter.release(), isCut: cutter.isCut };
}

/**
 * The expected output by definition: the text up to the first complete stop sequence; of several that end there, the longest.
 */
function cutWhole(stops: readonly string[], text: string): { text: string; isCut: boolean } {
  for (let end = 1; end <= text.length; end += 1) {
    const complete = stops.filter((stop) => text.slice(0, end).endsWith(stop));
    if (complete.length === 0) continue;
    const longest = Math.max(...complete.map((stop) => stop.length));
    return { text: text.slice(0, end - longest), isCut: true };
  }
  return { text, isCut: false };
}

// Few letters, so that stop sequences are frequent and overlap; half of a surrogate pair counts as a letter.
const letters = fc.constantFrom('a', 'b', '\n', ' ', '😀', '\ud83d');
const text = fc.string({ unit: letters, maxLength: 40 });
const stops = fc.array(fc.string({ unit: letters, minLength: 1, maxLength: 6 }), {
  minLength: 1,
  maxLength: 4,
});

describe('a text with stop sequences', () => {
  it('is cut at the same place for any split into pieces', () => {
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
    // Only a possible beginning of a stop sequence is held back, and only as long as it is one.
    [['\n\n'], ['a\n', 'b', '\n', '\n', 'c'], ['a', '\nb', '', '', '']],
    [['\n'], ['a', '\nb'], ['a', '']],
    [['aab'], ['a', 'a', 'a', 'b'], ['', '', 'a', '']],
    [['abac'], ['aba', 'bac', 'x'], ['', 'ab', '']],
    [['😀'], ['a\ud83d', '\ude01\ud83d', '\ude00'], ['a', '\ud83d\ude01', '']],
    // The first complete one counts; of two that end together, the longer.
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

  it('is complete if it ends in the beginning of a stop sequence', () => {
    expect(cut(['\n\n', ' \n '], ['a \n'])).toEqual({ text: 'a \n', isCut: false });
  });

  it('is cut quickly with a long stop sequence and a text that almost matches repeatedly', () => {
    const stop = `${' '.repeat(200_000)}x`;
    const pieces = Array.from({ length: 4000 }, () => ' '.repeat(100));
    const cutter = new TextCutter([stop]);
    const out = pieces.reduce((length, piece) => length + cutter.take(piece).length, 0);
    expect(out + cutter.release().length).toBe(400_000);
    expect(cutter.isCut).toBe(false);
  });
});
