/** Maximum length of a link; no signed link is longer. */
const maxLength = 8192;

/** The value as a link; null when it cannot be fetched over HTTP. */
export function linkIn(value: unknown): string | null {
  if (typeof value !== 'string' || value.length > maxLength) return null;
  const url = URL.parse(value);
  return url !== null && /^https?:$/.test(url.protocol) && url.username === '' ? url.href : null;
}
