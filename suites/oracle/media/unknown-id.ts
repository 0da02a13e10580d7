/** How many characters at the end of an id are changed. */
const changed = 8;

/**
 * An id of the same form that was never issued: each letter and digit at its end is replaced by another of its
 * kind.
 */
export function unknownIdLike(id: string): string {
  const kept = id.slice(0, -changed);
  return kept + [...id.slice(-changed)].map(nextOfItsKind).join('');
}

function nextOfItsKind(letter: string): string {
  for (const kind of ['0123456789', 'abcdef', 'ghijklmnopqrstuvwxyz', 'ABCDEF', 'GHIJKLMNOPQRSTUVWXYZ']) {
    const place = kind.indexOf(letter);
    if (place >= 0) return kind.charAt((place + 1) % kind.length);
  }
  return letter;
}
