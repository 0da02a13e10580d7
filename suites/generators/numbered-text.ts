import type { Rng } from '../values/seed.ts';

/** Characters that careless code miscounts, splits or normalises, each between two words. */
const spices = ['é', '漢', '🌊', 'e\u0301', '\r\n', '\t', '"', '\\', '  ', '\u2028'];

/** Text of exactly this many UTF-16 units. Its words are numbered, so that a missing, doubled or moved part is detected. */
export function numberedText(rng: Rng, length: number): string {
  let text = '';
  for (let word = rng.int(100); ; word += 1) {
    const piece = `w${word}${spices[word % spices.length]}`;
    // The full stops keep whole characters and leave no white space at the end, which an upstream may refuse.
    if (text.length + piece.length >= length) return text.padEnd(length, '.');
    text += piece;
  }
}
