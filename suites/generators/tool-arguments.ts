import fc from 'fast-check';
import { unicodeText } from './unicode-text.ts';

/** Numbers that a careless parse and print changes. They are texts, because JavaScript cannot hold them all. */
const numberText: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom(
    '0',
    '-0.5',
    '1e-7',
    '0.0000001',
    '9007199254740993',
    '123456789012345678901234567890',
    '1E+2',
    '0.1',
    '1.7976931348623157e308',
  ),
  fc.integer().map(String),
  fc.bigInt({ min: -(2n ** 100n), max: 2n ** 100n }).map(String),
);

const scalarText: fc.Arbitrary<string> = fc.oneof(
  numberText,
  unicodeText.map((text) => JSON.stringify(text)),
  fc.constantFrom('true', 'false', 'null', '""', '[]', '{}', '"\\u00e9"', '"\\ud83c\\udf0a"'),
);

/**
 * No key is a single backslash, because of a bug in V8 14.6. After parsing such a key, V8 reads an escaped key at the same
 * position as a backslash.
 */
const key: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom('word', 'a b', '"', 'C:\\dir', 'é', '漢', '', 'type'),
  fc.stringMatching(/^[a-z]{1,6}$/),
);

const listText = (items: readonly string[]): string => `[${items.join(',')}]`;

const objectText = (members: readonly (readonly [string, string])[]): string =>
  `{${members.map(([name, value]) => `${JSON.stringify(name)}:${value}`).join(',')}}`;

const membersOf = (value: fc.Arbitrary<string>): fc.Arbitrary<[string, string][]> =>
  fc.uniqueArray(fc.tuple(key, value), { maxLength: 4, selector: ([name]) => name });

const value: fc.Arbitrary<string> = fc.oneof(
  scalarText,
  fc.array(scalarText, { maxLength: 3 }).map(listText),
  membersOf(scalarText).map(objectText),
);

/** The arguments of a tool call as the JSON text of an object, which may be empty. */
export const toolArguments: fc.Arbitrary<string> = fc.oneof(
  { weight: 1, arbitrary: fc.constant('{}') },
  { weight: 6, arbitrary: membersOf(value).map(objectText) },
);
