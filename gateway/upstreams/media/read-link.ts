/** Maximum length of a link; no signed link is longer. */
const maxLength = 8192;

/** The value as a link; null when it cannot be fetched over HTTP. A path continues the URL of its upstream. */
export function linkIn(value: unknown, baseUrl?: string): string | null {
  if (typeof value !== 'string' || value.length > maxLength) return null;
  const isPath = baseUrl !== undefined && /^\/[^/]/.test(value);
  const url = isPath ? URL.parse(value, baseUrl) : URL.parse(value);
  return url !== null && /^https?:$/.test(url.protocol) && url.username === '' ? url.href : null;
}

const dataUri = /^data:[\w.+-]{1,60}\/[\w.+-]{1,100};base64,/i;

/** The value as a link, or as a data URI that contains the file. */
export function fileIn(value: unknown, baseUrl: string): string | null {
  return typeof value === 'string' && dataUri.test(value) ? value : linkIn(value, baseUrl);
}

/** The file in a data URI; null for any other link. */
export function bytesInLink(url: string): Buffer | null {
  return dataUri.test(url) ? Buffer.from(url.replace(dataUri, ''), 'base64') : null;
}
