import fc from 'fast-check';

/** Ways to alter a valid key, and the aspect of the rule that each belongs to. */
export const wrongKeyKinds = [
  'never-issued',
  'one-character',
  'truncated',
  'extended',
  'upper-case',
  'other-case',
  'without-prefix',
  'other-prefix',
] as const;
export type WrongKeyKind = (typeof wrongKeyKinds)[number];

/** A wrong key as a recipe, so that no report contains a part of the valid key. */
export interface WrongKey {
  readonly kind: WrongKeyKind;
  /** Which character, as a fraction of the key's length in [0, 1). */
  readonly place: number;
  readonly letters: string;
}

const alphabet = 'abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789';

export const wrongKeys: fc.Arbitrary<WrongKey> = fc.record({
  kind: fc.constantFrom(...wrongKeyKinds),
  place: fc.integer({ min: 0, max: 999 }).map((part) => part / 1_000),
  letters: fc.string({ unit: fc.constantFrom(...alphabet), minLength: 32, maxLength: 32 }),
});

/** One recipe of each kind, at both ends of the key. */
export const wrongKeyExamples: readonly WrongKey[] = wrongKeyKinds.flatMap((kind) =>
  [0, 0.999].map((place) => ({ kind, place, letters: 'Q7'.repeat(16) })),
);

/** Applies a recipe to a valid key. The result always differs from it. */
export function spoil(good: string, { kind, place, letters }: WrongKey): string {
  const prefix = prefixOf(good);
  const secret = good.slice(prefix.length);
  const at = Math.floor(place * secret.length);
  const others = otherPrefixes.filter((other) => other !== prefix);
  switch (kind) {
    case 'never-issued':
      return prefix + letters;
    case 'one-character':
      return `${prefix}${secret.slice(0, at)}${secret[at] === 'Q' ? 'R' : 'Q'}${secret.slice(at + 1)}`;
    case 'truncated':
      return prefix + secret.slice(0, at);
    case 'extended':
      return good + letters.slice(0, 1 + Math.floor(place * 8));
    case 'upper-case':
      return [good.toUpperCase(), good.toLowerCase()].find((other) => other !== good) ?? `${good}X`;
    case 'other-case':
      return prefix + swapCase(secret);
    case 'without-prefix':
      return secret;
    case 'other-prefix':
      return others[Math.floor(place * others.length)] + secret;
  }
}

const otherPrefixes = ['sk-', 'sk-app', 'sk-App-', 'pk-app-', 'sk_app_'];

/** The prefix of a key. A deployment's own keys may have another one, or none: then their beginning is taken for it. */
function prefixOf(key: string): string {
  const [prefix = key.slice(0, Math.min(3, key.length - 1))] =
    /^sk-app-(?=.)/.exec(key) ?? /^(?:[A-Za-z]{1,12}[-_]){1,2}(?=.)/.exec(key) ?? [];
  return prefix;
}

/** Swaps the case of every letter. A secret without letters gets an additional character. */
function swapCase(secret: string): string {
  const swapped = [...secret]
    .map((letter) => (letter === letter.toUpperCase() ? letter.toLowerCase() : letter.toUpperCase()))
    .join('');
  return swapped === secret ? `${secret}x` : swapped;
}
