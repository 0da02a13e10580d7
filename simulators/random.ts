import { hash } from 'node:crypto';

/** A stream of seeded draws: the same parts give the same stream in every process. */
export interface Random {
  /** A whole number from 0 to `limit - 1`. */
  below(limit: number): number;
  /** A whole number from `min` to `max`, both included. */
  between(min: number, max: number): number;
  pick<T>(list: readonly T[]): T;
}

/** One part of a seed. Arrival order and time never influence a draw. */
export type SeedPart = string | number | null;

export function seededRandom(...parts: readonly SeedPart[]): Random {
  // Digested as text, because a buffer would cost more than the hash.
  const draw = xorshift128(hash('sha256', JSON.stringify(parts), 'binary'));
  return randomOf((limit) => Math.floor((draw() / 2 ** 32) * limit));
}

/** Derives every kind of draw from `below`. */
export function randomOf(below: Random['below']): Random {
  return {
    below,
    between: (min, max) => min + below(max - min + 1),
    pick: <T>(list: readonly T[]): T => {
      const picked = list[below(list.length)];
      if (picked === undefined) throw new RangeError('there is nothing to pick from');
      return picked;
    },
  };
}

/** A draw from 0 (included) to 1 (excluded). */
export function unitOf(random: Random): number {
  return random.below(2 ** 32) / 2 ** 32;
}

const base62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** An identifier of `length` letters and digits that depends only on the parts. */
export function seededId(length: number, ...parts: readonly SeedPart[]): string {
  const random = seededRandom('id', ...parts);
  let id = '';
  for (let at = 0; at < length; at += 1) id += base62.charAt(random.below(base62.length));
  return id;
}

/** The same as {@link seededId} in lower-case hexadecimal. */
export function seededHex(length: number, ...parts: readonly SeedPart[]): string {
  return hash('sha256', JSON.stringify(['hex', ...parts])).slice(0, length);
}

function xorshift128(digest: string): () => number {
  // From a state of all zeros, the generator would return only zeros.
  let [a, b, c, d] = [wordAt(digest, 0), wordAt(digest, 4), wordAt(digest, 8), wordAt(digest, 12)];
  if ((a | b | c | d) === 0) a = 1;
  return () => {
    let t = d;
    d = c;
    c = b;
    b = a;
    t ^= t << 11;
    t ^= t >>> 8;
    // Signed, because V8 allocates an object for each large unsigned number.
    a = t ^ a ^ (a >>> 19);
    return a >>> 0;
  };
}

/** Four bytes of a digest as a signed little-endian number. */
function wordAt(digest: string, at: number): number {
  const byte = (offset: number): number => digest.charCodeAt(at + offset) << (8 * offset);
  return byte(0) | byte(1) | byte(2) | byte(3);
}
