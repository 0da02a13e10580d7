import { type Damage, type DamageAt, oneOf, put, takes } from './damage.ts';

/** Damage of lists: their length, and items of another kind among the right ones. */

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
