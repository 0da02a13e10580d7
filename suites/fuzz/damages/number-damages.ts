import { type Damage, type DamageAt, noJson, number, oneOf, put, takes } from './damage.ts';

/** Damage of numbers: their size, their digits, and spellings that are not JSON. */

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

/** Damage of lists: their length, and items of the wrong kind. */

const list = takes('list');

export const listDamages: readonly Damage[] = [
  within('very many items', (items, { rng }) => {
    const [first = {}] = items;
    return Array.from({ length: rng.pick([300, 5_000]) }, () => first);
  }),
  oneOf('very many empty items', list, [
    Array.from({ length: 50_000 }, () => 0),
    Array.from({ length: 20_000 }, () => ({})),
    Array.from({ length: 20_000 }, () => []),
    Array.from({ length: 20_000 }, () => ''),
  ]),
  within('null among the items', (items, at) => inserted(items, null, at)),
  within('another type among the items', (items, at) =>
    inserted(items, at.rng.pick([7, 'seven', true, [], {}]), at),
  ),
  within('nested once more', (items) => [items]),
  within('the same item twice', (items) => items.flatMap((item) => [item, item])),
  within('in reverse', (items) => items.toReversed()),
  within('its first item alone', (items) => items.slice(0, 1)),
  within('an object with indices', (items) => Object.fromEntries(items.entries())),
];

function within(kind: string, change: (items: readonly unknown[], at: DamageAt) => unknown): Damage {
  return {
    kind,
    fits: list,
    apply: (at) => (Array.isArray(at.value) ? put(at, change(at.value, at)) : null),
  };
}

function inserted(items: readonly unknown[], item: unknown, { rng }: DamageAt): unknown[] {
  return items.toSpliced(rng.int(items.length + 1), 0, item);
}
