/** Kinds of content that an `image_url` block can carry. */
export type MediaKind = 'image' | 'other';

/** Largest data URI content, in decoded bytes (B-28). */
const MAX_MEDIA_BYTES = 20 * 1024 * 1024;

const MEDIA_EXTENSION = /\.(?:mp4|m4v|mov|webm|mkv|avi|mpe?g|mp3|m4a|wav|ogg|oga|flac|aac|opus|pdf)$/i;

/**
 * Kind of the media behind an `image_url.url`: judged by the type a data URI names, by the extension of an http
 * URL, which is never fetched. Null when the text is neither.
 */
export function mediaKind(url: string): MediaKind | null {
  if (/^data:/i.test(url)) return dataUriKind(url);
  if (!/^https?:\/\/[^\s/?#]/i.test(url) || /\s/.test(url)) return null;
  const parsed = URL.parse(url);
  if (parsed === null) return null;
  return MEDIA_EXTENSION.test(parsed.pathname) ? 'other' : 'image';
}

/** Only `data:<mime>;base64,<data>` with padded base64 of at most 20 MB counts. */
function dataUriKind(url: string): MediaKind | null {
  const comma = url.indexOf(',');
  const head = /^data:([a-z]+)\/[a-z0-9][a-z0-9.+-]*;base64$/i.exec(url.slice(0, Math.min(comma, 200)));
  if (comma === -1 || head === null || !isBase64(url, comma + 1)) return null;
  return head[1]?.toLowerCase() === 'image' ? 'image' : 'other';
}

function isBase64(text: string, start: number): boolean {
  const length = text.length - start;
  if (length === 0 || length % 4 !== 0 || (length / 4) * 3 > MAX_MEDIA_BYTES + 2) return false;
  const padding = text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0;
  // Searching for the first foreign character needs no backtracking, whatever the length.
  return !/[^A-Za-z0-9+/]/.test(text.slice(start, text.length - padding));
}
