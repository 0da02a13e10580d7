import fc from 'fast-check';

/** Code points of surrogates, which are not characters. */
const surrogates = { first: 0xd800, count: 0x800 };
const last = 0x10ffff - surrogates.count;

/**
 * Any code point of Unicode, for strings.
 * It draws the same as the unit `binary` of fast-check. That unit first builds a table of a million entries,
 * which costs every process a second.
 */
export const anyCharacter: fc.Arbitrary<string> = fc.nat({ max: last }).map(characterAt, placeOf);

function characterAt(place: number): string {
  return String.fromCodePoint(place < surrogates.first ? place : place + surrogates.count);
}

/**
 * @throws Error for anything but a single character; fast-check thus finds out whether a value is one
 */
function placeOf(value: unknown): number {
  const code = typeof value === 'string' && value.isWellFormed() ? value.codePointAt(0) : undefined;
  if (code === undefined || String.fromCodePoint(code) !== value) throw new Error('this is no character');
  return code < surrogates.first ? code : code - surrogates.count;
}
