import type { Rng } from '../values/seed.ts';

/** Factors by name, each with its values. */
export type Factors = Readonly<Record<string, readonly [unknown, ...unknown[]]>>;

/** One value of each factor. */
export type Row<F extends Factors> = { readonly [Name in keyof F]: F[Name][number] };

/** The number of factors whose every combination of values must occur. */
export type Strength = 1 | 2 | 3;

/** Values of some factors, by their indexes; -1 where nothing is chosen yet. */
type Choice = number[];

/**
 * Rows that contain every combination of the values of any `strength` factors, drawn greedily. Each row starts with a missing
 * combination, and takes of each further factor the value that adds most. The same draws give the same rows.
 */
export function coveringArray<const F extends Factors>(
  factors: F,
  rng: Rng,
  strength: Strength = 2,
): Row<F>[] {
  const names = Object.keys(factors);
  const sizes = names.map((name) => factors[name]?.length ?? 1);
  const places = placesOf(names.length, Math.min(strength, names.length));
  const missing = new Set(places.flatMap((group) => tuplesOf(group, sizes)));
  const rows: Choice[] = [];
  while (missing.size > 0) {
    const row = filled(rng, { sizes, places, missing });
    for (const group of places) missing.delete(keyOf(group, row));
    rows.push(row);
  }
  return rows.map((row) => {
    const values = names.map((name, at) => [name, factors[name]?.[row[at] ?? 0]]);
    return Object.fromEntries(values) as Row<F>;
  });
}

interface Progress {
  readonly sizes: readonly number[];
  /** The groups of factors whose combinations count. */
  readonly places: readonly (readonly number[])[];
  readonly missing: ReadonlySet<string>;
}

/** A row that begins with one missing combination. */
function filled(rng: Rng, { sizes, places, missing }: Progress): Choice {
  const row: Choice = sizes.map(() => -1);
  const [first = ''] = missing;
  for (const pair of first.split(' ')) {
    const [at = 0, value = 0] = pair.split('=').map(Number);
    row[at] = value;
  }
  const open = row.flatMap((value, at) => (value === -1 ? [at] : []));
  for (const at of rng.shuffle(open)) {
    const groups = places.filter(
      (group) => group.includes(at) && group.every((one) => one === at || row[one] !== -1),
    );
    let best = -1;
    for (const value of rng.shuffle(Array.from({ length: sizes[at] ?? 1 }, (_, index) => index))) {
      const tried = row.with(at, value);
      const added = groups.filter((group) => missing.has(keyOf(group, tried))).length;
      if (added > best) [best, row[at]] = [added, value];
    }
  }
  return row;
}

/** Every choice of `count` factors, in ascending order. */
function placesOf(count: number, strength: number, from = 0): number[][] {
  if (strength === 0) return [[]];
  return Array.from({ length: count }, (_, at) => at)
    .slice(from)
    .flatMap((at) => placesOf(count, strength - 1, at + 1).map((rest) => [at, ...rest]));
}

function tuplesOf(group: readonly number[], sizes: readonly number[]): string[] {
  return group.reduce<string[]>(
    (keys, at) =>
      keys.flatMap((key) =>
        Array.from({ length: sizes[at] ?? 1 }, (_, value) =>
          key === '' ? `${at}=${value}` : `${key} ${at}=${value}`,
        ),
      ),
    [''],
  );
}

function keyOf(group: readonly number[], row: Choice): string {
  return group.map((at) => `${at}=${row[at]}`).join(' ');
}
