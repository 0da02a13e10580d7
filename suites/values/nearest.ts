/** Lists of at most this many words are shown whole where no word is close. */
const maxListed = 8;

/** What {@link likeness} says of an unknown word. Where no known word is close, the known ones, if they are few. */
export function meant(typed: string, known: readonly string[]): string {
  const all = known.length > 0 && known.length <= maxListed ? ` (known: ${known.join(', ')})` : '';
  return likeness(typed, known) || all;
}

/** ` (did you mean X?)` for a message about an unknown word; empty where no known word is close. */
export function likeness(typed: string, known: readonly string[]): string {
  const word = nearest(typed, known);
  const [one, other] = [typed.toLowerCase(), word.toLowerCase()];
  const begins = one.length > 1 && (other.startsWith(one) || one.startsWith(other));
  const isClose = word !== '' && (begins || editDistance(one, other) <= typed.length / 2);
  return isClose ? ` (did you mean ${word}?)` : '';
}

/**
 * The known word with the smallest edit distance to the typed one, ignoring case; the first of equals. Words with the same
 * beginning, up to a dot or hyphen, come before all others.
 */
function nearest(typed: string, known: readonly string[]): string {
  const [, stem = ''] = /^([a-z]{3,}[.-])/i.exec(typed) ?? [];
  const kin = known.filter((word) => word.toLowerCase().startsWith(stem.toLowerCase()));
  const words = kin.length > 0 ? kin : known;
  let best = words[0] ?? '';
  let min = Number.POSITIVE_INFINITY;
  for (const word of words) {
    const distance = editDistance(typed.toLowerCase(), word.toLowerCase());
    if (distance < min) [best, min] = [word, distance];
  }
  return best;
}

/** Insertions, deletions, replacements and swaps of neighbours each cost one. */
function editDistance(a: string, b: string): number {
  let before: number[] = [];
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const replaced = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      next.push(
        Math.min(
          replaced,
          (row[j] ?? 0) + 1,
          (next[j - 1] ?? 0) + 1,
          swapped ? (before[j - 2] ?? 0) + 1 : replaced,
        ),
      );
    }
    before = row;
    row = next;
  }
  return row[b.length] ?? 0;
}
