import type { CacheHint } from '../../cache-hint.ts';
import { mediaOf } from '../../media-url.ts';
import type { ContentBlock } from '../../message-schema.ts';

interface NativeHint {
  readonly cache_control?: { readonly type: 'ephemeral'; readonly ttl?: string };
}
export type NativeText = NativeHint & { readonly type: 'text'; readonly text: string };
/** Video and audio are our upstream's extension: the same shape as an image. */
export type NativeMedia = NativeHint & {
  readonly type: 'image' | 'document' | 'video' | 'audio';
  readonly source:
    | { readonly type: 'base64'; readonly media_type: string; readonly data: string }
    | { readonly type: 'url'; readonly url: string };
};
export type NativeBlock = NativeText | NativeMedia;

export function isBlank(text: string): boolean {
  return text.trim() === '';
}

/**
 * Content blocks in the messages dialect, which rejects blocks of only white space. Such text is joined to the
 * neighbouring text, where it reads the same. Its cache hint moves to the block before.
 */
export function contentBlocks(blocks: readonly ContentBlock[]): NativeBlock[] {
  const native: NativeBlock[] = [];
  let lead = '';
  for (const block of blocks) {
    const hint = hintOf(block.cache_control);
    if (block.type === 'image_url') {
      native.push({ ...mediaBlock(block.image_url.url), ...hint });
      lead = '';
    } else if (!isBlank(block.text)) {
      native.push({ type: 'text', text: lead + block.text, ...hint });
      lead = '';
    } else {
      const before = native.pop();
      if (before?.type !== 'text') lead += block.text;
      if (before !== undefined) native.push(joined(before, block.text, hint));
    }
  }
  return native;
}

/** The native form of a cache hint; an empty object without one. */
export function hintOf(hint: CacheHint | null | undefined): NativeHint {
  if (hint == null) return {};
  return { cache_control: { type: 'ephemeral', ...(hint.ttl != null && { ttl: hint.ttl }) } };
}

function joined(block: NativeBlock, blank: string, hint: NativeHint): NativeBlock {
  const longer = block.type === 'text' ? { ...block, text: block.text + blank } : block;
  return { ...hint, ...longer };
}

function mediaBlock(url: string): NativeMedia {
  const media = mediaOf(url);
  if (media.data === null) return { type: media.kind, source: { type: 'url', url: media.url } };
  return { type: media.kind, source: { type: 'base64', media_type: media.mime, data: media.data } };
}
