import fc from 'fast-check';
import { anyCharacter } from './any-character.ts';

/**
 * Text that gateways are known to damage: joined emoji, right-to-left text, controls, line ends, outer white
 * space, escapes.
 */
const troublesome: readonly string[] = [
  '👩‍👩‍👧‍👦',
  '🏳️‍🌈',
  '𝒮𝑒𝒶',
  '𠮷',
  'e\u0301',
  '\u202eright-to-left\u202c',
  'שלום',
  'مرحبا',
  '\u0001',
  '\u001f',
  '\u007f',
  '\u0085',
  '\u2028',
  '\u2029',
  '\ufeff',
  '\ufffd',
  '\r\n',
  '\n\n',
  '\t',
  '  ',
  '"quoted"',
  '\\n',
  '\\u0041',
  '{"a":1}',
  'data: [DONE]',
  '</script>',
  '%00',
  '{{x}}',
  "'; --",
];

/** Non-empty legal text without NUL and lone surrogates, with at least one visible letter. */
export const unicodeText: fc.Arbitrary<string> = fc
  .array(
    fc.oneof(fc.string({ unit: anyCharacter, minLength: 1, maxLength: 12 }), fc.constantFrom(...troublesome)),
    {
      minLength: 1,
      maxLength: 6,
    },
  )
  .map((pieces) => `${pieces.join('').replaceAll('\0', '')}x`);
