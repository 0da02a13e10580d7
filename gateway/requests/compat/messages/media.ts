import { isObject, type JsonObject } from '../../../http/parse-json.ts';
import { type MediaKind, mediaKind, mediaKinds } from '../../media-url.ts';
import type { CommonForm } from './common-form.ts';

/** Members of a media block, and of its source, that the common form has. */
const blockMembers = ['type', 'source', 'cache_control'] as const;
const sourceMembers = ['type', 'media_type', 'data', 'url'] as const;

/**
 * Placeholder URLs for media that the common form cannot express. Such a request is never sent in common form: the
 * placeholders only serve the check of the model's capabilities.
 */
const standIns: Readonly<Record<MediaKind, string>> = {
  image: 'data:image/png;base64,AAAA',
  video: 'data:video/mp4;base64,AAAA',
  audio: 'data:audio/wav;base64,AAAA',
  document: 'data:application/pdf;base64,AAAA',
};

/** The kind of media in a block of this type; null for other blocks. */
export function blockKind(type: unknown): MediaKind | null {
  return mediaKinds.find((kind) => kind === type) ?? null;
}

/** The text in a block that could hold media instead; null when it holds no text. */
export function documentText({ source }: JsonObject): string | null {
  return isObject(source) && source.type === 'text' ? String(source.data) : null;
}

/**
 * The URL of a medium in common form. Its type must state the kind of the block, or upstreams would mistake it for
 * another.
 */
export function mediaUrl(block: JsonObject, kind: MediaKind, at: string, words: CommonForm): string {
  words.onlyKnown(block, at, blockMembers);
  const source = isObject(block.source) ? block.source : {};
  words.onlyKnown(source, `${at}.source`, sourceMembers);
  const url = urlOf(source);
  if (url !== null && mediaKind(url) === kind) return url;
  words.nativeOnly.push(`${at}.source`);
  return standIns[kind];
}

function urlOf({ type, media_type: mime, data, url }: JsonObject): string | null {
  if (type === 'base64') return `data:${mime};base64,${data}`;
  return type === 'url' ? String(url) : null;
}
