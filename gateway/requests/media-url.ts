/** Kinds of content that an `image_url` block can carry (B-27). */
export const mediaKinds = ['image', 'video', 'audio', 'document'] as const;
export type MediaKind = (typeof mediaKinds)[number];

/** The media behind a valid `image_url.url`. */
export type Media =
  | { readonly kind: MediaKind; readonly mime: string; readonly data: string; readonly url: null }
  /** The type follows from the extension of the path; null when that is unknown. */
  | { readonly kind: MediaKind; readonly mime: string | null; readonly data: null; readonly url: string };

/** Maximum content of a data URI, in decoded bytes (B-28). */
const maxMediaBytes = 20 * 1024 * 1024;

/** Maximum length of a data URI's head. */
const maxHeadLength = 200;
const dataUrlHead = /^data:([a-z]+\/[a-z0-9][a-z0-9.+-]*);base64$/i;

/** Types by names that callers use but upstreams reject. */
const mimeNames: Readonly<Record<string, string>> = { 'image/jpg': 'image/jpeg' };

/** Types by the extension of a path. */
const mimeByExtension: Readonly<Record<string, string>> = {
  png: 'image/png',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  gif: 'image/gif',
  webp: 'image/webp',
  heic: 'image/heic',
  heif: 'image/heif',
  bmp: 'image/bmp',
  mp4: 'video/mp4',
  m4v: 'video/mp4',
  mov: 'video/quicktime',
  webm: 'video/webm',
  mkv: 'video/x-matroska',
  avi: 'video/x-msvideo',
  mpg: 'video/mpeg',
  mpeg: 'video/mpeg',
  mp3: 'audio/mpeg',
  m4a: 'audio/mp4',
  wav: 'audio/wav',
  ogg: 'audio/ogg',
  oga: 'audio/ogg',
  opus: 'audio/ogg',
  flac: 'audio/flac',
  aac: 'audio/aac',
  pdf: 'application/pdf',
};

/**
 * The kind of media behind an `image_url.url`: by the type of a data URI, or by the extension of an http URL. The
 * URL is never fetched. Null when the text is neither.
 */
export function mediaKind(url: string): MediaKind | null {
  if (isDataUri(url)) return isWholeDataUri(url) ? mediaOf(url).kind : null;
  if (!/^https?:\/\/[^\s/?#]/i.test(url) || /\s/.test(url) || !URL.canParse(url)) return null;
  return mediaOf(url).kind;
}

/** The media behind a valid URL. The base64 text is not checked again. */
export function mediaOf(url: string): Media {
  if (isDataUri(url)) {
    const given = dataHead(url)?.toLowerCase() ?? '';
    const mime = mimeNames[given] ?? given;
    return { kind: kindOf(mime), mime, data: url.slice(url.indexOf(',') + 1), url: null };
  }
  const extension = /\.([a-z0-9]{2,4})$/i.exec(URL.parse(url)?.pathname ?? '')?.[1]?.toLowerCase() ?? '';
  const mime = Object.hasOwn(mimeByExtension, extension) ? mimeByExtension[extension] : undefined;
  // Without other information the content is an image, as the block's name says.
  return { kind: kindOf(mime ?? 'image/'), mime: mime ?? null, data: null, url };
}

function kindOf(mime: string): MediaKind {
  return mediaKinds.find((kind) => mime.startsWith(`${kind}/`)) ?? 'document';
}

function isDataUri(url: string): boolean {
  return /^data:/i.test(url);
}

/** The type that a data URI names; null when its head has another form. */
function dataHead(url: string): string | null {
  const head = url.slice(0, maxHeadLength);
  const comma = head.indexOf(',');
  return comma === -1 ? null : (dataUrlHead.exec(head.slice(0, comma))?.[1] ?? null);
}

/** Only `data:<mime>;base64,<data>` with padded base64 of at most 20 MB is valid. */
function isWholeDataUri(url: string): boolean {
  return dataHead(url) !== null && isBase64(url, url.indexOf(',') + 1);
}

/** The number of letters decoded at a time, a multiple of four. */
const lettersAtOnce = 64 * 1024;
const decodedLetters = Buffer.allocUnsafe((lettersAtOnce / 4) * 3);

/** Whether a text from `start` on is padded base64 of at most 20 MB. */
export function isBase64(text: string, start = 0): boolean {
  const length = text.length - start;
  if (length === 0 || length % 4 !== 0 || (length / 4) * 3 > maxMediaBytes + 2) return false;
  const padding = text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0;
  const end = text.length - padding;
  // Decoding skips invalid letters and accepts URL-safe ones, so both are checked separately. It is ten times faster than a
  // check of each letter.
  for (let at = start; at < end; at += lettersAtOnce) {
    const letters = text.slice(at, Math.min(end, at + lettersAtOnce));
    const bytes = decodedLetters.write(letters, 'base64');
    if (bytes !== Math.floor((letters.length * 3) / 4) || letters.includes('-') || letters.includes('_'))
      return false;
    // The decoder reads only the low byte of characters beyond Latin-1.
    if (Buffer.byteLength(letters) !== letters.length) return false;
  }
  return true;
}
