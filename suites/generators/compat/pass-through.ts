import fc from 'fast-check';
import { JsonText } from '../../oracle/json-text.ts';

/** Numbers that a careless parser changes: outside the range of a double, or with more digits. */
export const hardNumbers: readonly string[] = [
  '9007199254740993',
  '-9007199254740993',
  '9223372036854775807',
  '12345678901234567890123',
  '0.12345678901234567891',
  '1.5e-9',
  '3.0',
];

const number = fc.oneof(
  fc.integer(),
  fc.double({ noNaN: true, noDefaultInfinity: true, min: -1e9, max: 1e9 }),
  fc.constantFrom(...hardNumbers).map((digits) => new JsonText(digits)),
);

const text = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 12 }).filter((value) => !value.includes('\u0000')),
  fc.constantFrom('', ' ', 'null', '0', 'true', 'a\nb', '🌊', '\u2028', '{"a":1}', 'OBJECT'),
);

/** Names that no protocol has. Some break lookups, or resemble a known name in another spelling. */
export const unknownName: fc.Arbitrary<string> = fc.oneof(
  fc.stringMatching(/^zz[A-Z][a-z]{2,8}$/),
  fc.constantFrom('zz_snake_case', 'zz.dotted', 'zz spaced', 'zzÜmlaut', 'constructor', 'toString', 'zz-1'),
);

/** Any JSON value of moderate size: nested, with well-formed text and numbers of any length. */
export const passThroughValue: fc.Arbitrary<unknown> = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    fc.oneof(number, text, fc.boolean(), fc.constant(null)),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(unknownName, tie('value'), { maxKeys: 4, noNullPrototype: true }),
  ),
})).value;

/** An object of unknown members. */
export const unknownMembers: fc.Arbitrary<Record<string, unknown>> = fc.dictionary(
  unknownName,
  passThroughValue,
  { minKeys: 1, maxKeys: 4, noNullPrototype: true },
);
