import fc from 'fast-check';

/** Code points that are halves of a pair and no characters. */
const surrogates = { first: 0xd800, count: 0x800 };
const last = 0x10ffff - surrogates.count;

/**
 * Any code point of Unicode, for strings of such. Draws what the unit `binary` of fast-check draws, which makes a table
 * of all million of them first: a second in every process that so much as loads a generator.
 */
export const anyCharacter: fc.Arbitrary<string> = fc.nat({ max: last }).map(characterAt, placeOf);

function characterAt(place: number): string {
  return String.fromCodePoint(place < surrogates.first ? place : place + surrogates.count);
}

/** @throws Error when it is no single character: the way in which fast-check asks whether it is one. */
function placeOf(value: unknown): number {
  const code = typeof value === 'string' && value.isWellFormed() ? value.codePointAt(0) : undefined;
  if (code === undefined || String.fromCodePoint(code) !== value) throw new Error('this is no character');
  return code < surrogates.first ? code : code - surrogates.count;
}
