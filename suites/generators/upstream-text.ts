import fc from 'fast-check';

/**
 * Text that templates, trimming, re-encoding and naive stream readers damage. It has no NUL and no half
 * character.
 */
const pieces: readonly string[] = [
  ' ',
  '   ',
  '\n',
  '\n\n',
  '\r\n',
  '\t',
  '\u00a0',
  '\u2028',
  '\u2029',
  '\u200b',
  '\ufeff',
  '🌊',
  '👩‍👩‍👧‍👦',
  '🇺🇳',
  '👍🏽',
  '𝔘',
  '𠜎',
  '\u{10ffff}',
  'שלום עולם',
  'مرحبا',
  '\u202eright to left\u202c',
  'e\u0301',
  'é',
  'Z\u0351\u036b\u0343\u036aalgo',
  'ﬁ',
  'İ',
  'ß',
  '\u0001',
  '\u0008',
  '\u000b',
  '\u001b[31m',
  '\u001f',
  '\u007f',
  '\u0085',
  '\u009f',
  '\ufffd',
  '\uffff',
  '"',
  '\\',
  '\\n',
  '\\u0041',
  '{"a":1}',
  '</script>',
  '&amp;',
  '<b>',
  '%00',
  '\u0024{x}',
  'null',
  'data: [DONE]',
  '\n\ndata: [DONE]\n\n',
  ': comment',
  'event: error',
  '[DONE]',
];

const word = fc
  .string({ unit: 'grapheme', minLength: 1, maxLength: 12 })
  .filter((text) => !text.includes('\u0000'));

/** A possible text of an upstream: well-formed Unicode, at least one character. */
export const upstreamText: fc.Arbitrary<string> = fc
  .array(fc.oneof(fc.constantFrom(...pieces), fc.lorem({ maxCount: 6 }), word), {
    minLength: 1,
    maxLength: 16,
  })
  .map((parts) => parts.join(''));

/**
 * The hostile texts that every run tries: outer white space, each kind of character, stream syntax, great
 * length.
 */
export const hostileTexts: readonly string[] = [
  '  \n leading and trailing \t ',
  ' ',
  pieces.join(''),
  '\n\ndata: [DONE]\n\n',
  `${'A long line of plain text, 🌊 now and then. '.repeat(500)}\n`,
];
