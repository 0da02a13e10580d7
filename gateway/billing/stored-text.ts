/**
 * Encodes text so that the database can store it.
 *
 * PostgreSQL refuses U+0000 in text and in JSON, and a lone surrogate has no UTF-8 form. Such a code unit is
 * written as the substitute character U+001A and its four hexadecimal digits. U+001A itself is written so, too,
 * which makes the encoding reversible. All other text, which is almost all, is stored unchanged.
 */
export function encodeText(text: string): string {
  return text.replace(unstorable, (unit) => escapeMark + unit.charCodeAt(0).toString(16).padStart(4, '0'));
}

/** Reverses `encodeText`. */
export function decodeText(stored: string): string {
  return stored.replace(escaped, (_match, digits: string) =>
    String.fromCharCode(Number.parseInt(digits, 16)),
  );
}

/** Applies `encodeText` to the keys and values of a flat object. */
export function encodeEntries(entries: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(entries).map(([key, value]) => [encodeText(key), encodeText(value)]),
  );
}

/** Applies `decodeText` to the keys and values of a flat object. */
export function decodeEntries(stored: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(stored).map(([key, value]) => [decodeText(key), decodeText(value)]),
  );
}

const escapeMark = '\u001a';
// With the u flag, a surrogate class matches only lone surrogates.
const unstorable = new RegExp(`[\\0${escapeMark}\\ud800-\\udfff]`, 'gu');
const escaped = new RegExp(`${escapeMark}([0-9a-f]{4})`, 'g');
