import { createHash } from 'node:crypto';

/**
 * Seeds and draws. Everything that a check sends depends only on the run's seed and the check's id. So the same seed sends
 * the same cases, whatever else runs.
 */
export interface Rng {
  /** A whole number in [0, bound). */
  int(bound: number): number;
  pick<T>(items: readonly T[]): T;
  /** Lower-case hexadecimal characters. */
  hex(length: number): string;
  shuffle<T>(items: readonly T[]): T[];
}

/** A 32-bit signed seed for one purpose, as fast-check wants it. */
export function deriveSeed(seed: number, purpose: string): number {
  return createHash('sha256').update(`${seed}:${purpose}`).digest().readInt32LE(0);
}

/** A stream of draws: SHA-256 in counter mode, so that it is the same on every machine and version. */
export function createRng(seed: number, purpose: string): Rng {
  let counter = 0;
  const next = (): number => {
    counter += 1;
    return createHash('sha256').update(`${seed}:${purpose}:${counter}`).digest().readUInt32LE(0);
  };
  const int = (bound: number): number => {
    if (bound < 1) throw new RangeError('a draw needs a bound of at least 1');
    return next() % bound;
  };
  const pick = <T>(items: readonly T[]): T => {
    const item = items[int(items.length)];
    if (item === undefined) throw new RangeError('a pick needs at least one item');
    return item;
  };
  return {
    int,
    pick,
    hex: (length) => Array.from({ length }, () => '0123456789abcdef'[int(16)]).join(''),
    shuffle: (items) => {
      const rest = [...items];
      return items.map(() => rest.splice(int(rest.length), 1)[0] as (typeof items)[number]);
    },
  };
}
