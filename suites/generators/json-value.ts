import fc from 'fast-check';
import { JsonText } from '../oracle/json-text.ts';
import { anyCharacter } from './any-character.ts';

const extremeNumber: fc.Arbitrary<unknown> = fc.oneof(
  fc.integer(),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc
    .constantFrom(
      '1e400',
      '-1e400',
      '1e-400',
      '-0',
      '9223372036854775807',
      '9223372036854775808',
      '123456789012345678901234567890',
    )
    .map((text) => new JsonText(text)),
);

/** Any strings: short ones, NUL, lone surrogates, long ones, and names that break lookups. */
const anyString: fc.Arbitrary<string> = fc.oneof(
  fc.string({ unit: anyCharacter, maxLength: 20 }),
  fc.constantFrom(
    '',
    ' ',
    '\0',
    'a\0b',
    '\ud800',
    'x\udfff',
    '__proto__',
    'null',
    '0',
    '[object Object]',
    'auto',
    'function',
  ),
  fc.constant('long '.repeat(20_000)),
);

function deep(depth: number, form: 'array' | 'object'): unknown {
  let value: unknown = 1;
  for (let level = 0; level < depth; level += 1) value = form === 'array' ? [value] : { a: value };
  return value;
}

/** Any JSON value: every type, nested, with the extremes of each. */
export const jsonValue: fc.Arbitrary<unknown> = fc.oneof(
  fc.constant(null),
  fc.boolean(),
  extremeNumber,
  anyString,
  fc.array(fc.oneof(extremeNumber, anyString, fc.constant(null), fc.constant({})), { maxLength: 20 }),
  fc.dictionary(anyString, fc.oneof(extremeNumber, anyString, fc.constant([])), {
    maxKeys: 20,
    noNullPrototype: true,
  }),
  fc
    .tuple(fc.constantFrom(10, 100, 500), fc.constantFrom('array' as const, 'object' as const))
    .map(([depth, form]) => deep(depth, form)),
);
