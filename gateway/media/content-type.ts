/** The types of stored files by extension, and the content types to serve them with. */
const contentTypes = {
  png: 'image/png',
  jpg: 'image/jpeg',
  webp: 'image/webp',
  mp4: 'video/mp4',
  mp3: 'audio/mpeg',
  wav: 'audio/wav',
  lrc: 'text/plain; charset=utf-8',
  txt: 'text/plain; charset=utf-8',
} as const;
export type MediaExtension = keyof typeof contentTypes;

/** The content type for an extension; null when stored files never have it. */
export function contentTypeOf(extension: string): string | null {
  return isMediaExtension(extension) ? contentTypes[extension] : null;
}

function isMediaExtension(extension: string): extension is MediaExtension {
  return Object.hasOwn(contentTypes, extension);
}
