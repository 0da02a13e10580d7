import { type Damage, noJson, number, oneOf, takes } from './damage.ts';

/** Damage of numbers: their size, their digits, and spellings that are no JSON. */

const numeric = takes('number');

export const numberDamages: readonly Damage[] = [
  oneOf('beyond a double', numeric, ['1e400', '-1e400', '1e999999'].map(number)),
  oneOf('next to zero', numeric, ['1e-400', '-0', '-0.0', '5e-324', '0e0', '0.0'].map(number)),
  oneOf('too many digits', numeric, [
    number('123456789012345678901234567890'),
    number(`1${'0'.repeat(1_000)}`),
    number(`0.${'3'.repeat(1_000)}`),
    number('9'.repeat(100_000)),
  ]),
  oneOf(
    'at the bounds of integers',
    numeric,
    [
      ...['2147483647', '2147483648', '-2147483649', '4294967296', '9007199254740993'],
      ...['9223372036854775807', '9223372036854775808', '-9223372036854775809', '18446744073709551616'],
    ].map(number),
  ),
  oneOf('negative', numeric, [-1, -0.001, -1_000_000]),
  oneOf('fraction', numeric, [0.5, 1.000001, number('1.0'), number('1e0'), 0.1]),
  oneOf('far too large', numeric, [1e6, 1e15, 1e308]),
  oneOf('NaN', numeric, ['NaN', 'Infinity', '-Infinity', 'nan', 'inf'].map(noJson)),
  oneOf(
    'spelling of a number',
    numeric,
    [...['01', '.5', '1.', '+1', '0x10', '1_000', '1,5', '- 1', '1e', '٣', '--1']].map(noJson),
  ),
  oneOf('number as text', numeric, ['1', '1.5', 'NaN', '1e3', '']),
];

export const booleanDamages: readonly Damage[] = [
  oneOf('almost a boolean', takes('boolean'), ['true', 'false', 1, 0, 'yes', noJson('True'), noJson('TRUE')]),
];
