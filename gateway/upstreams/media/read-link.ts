/** Longest link that is taken; nobody signs one with more. */
const maxLength = 8192;

/** The link that a value is; null for anything that cannot be fetched over HTTP. */
export function linkIn(value: unknown): string | null {
  if (typeof value !== 'string' || value.length > maxLength) return null;
  const url = URL.parse(value);
  return url !== null && /^https?:$/.test(url.protocol) && url.username === '' ? url.href : null;
}
