import { isObject, type JsonObject } from '../../http/parse-json.ts';
import type { ImagesMade, UpstreamImage } from '../media/media-outcome.ts';
import { linkIn } from '../media/read-link.ts';
import { failure, type UpstreamFailure } from '../outcome.ts';

/** Maximum length of a rewritten prompt in the answer. */
const maxPrompt = 20_000;

/**
 * The requested number of images from an answer. Fewer count as none (reading B-57). The cause is a content filter
 * if the answer says so; otherwise the upstream failed (fault M12). Extra images are dropped.
 */
export function readImages(body: unknown, count: number): ImagesMade | UpstreamFailure {
  const given: unknown = isObject(body)
    ? (body.data ?? body.images ?? body.output ?? body.artifacts)
    : undefined;
  const listed: readonly unknown[] = Array.isArray(given) ? given : [given];
  if (!isObject(body) || given === undefined || given === null)
    return failure('unusable', 'an answer without images', { status: 200 });
  const images = listed.flatMap((item: unknown) => imageIn(item) ?? []).slice(0, count);
  if (images.length === count) return { kind: 'images', images };
  if (isFiltered(body, listed)) return failure('policy', 'a filter dropped images', { status: 200 });
  return failure('unusable', `${images.length} images for ${count}`, { status: 200 });
}

function imageIn(given: unknown): UpstreamImage | null {
  const item = isObject(given) ? given : { url: given };
  const { revised_prompt: revised } = item;
  const revisedPrompt = typeof revised === 'string' && revised !== '' ? revised.slice(0, maxPrompt) : null;
  // Some providers wrap the link once more.
  const places = [item.url, item.image_url, item.image].map((place) => (isObject(place) ? place.url : place));
  const url = places.map(linkIn).find((link) => link !== null);
  if (url !== undefined) return { kind: 'link', url, revisedPrompt };
  const encoded = [item.base64, item.b64_json, item.image_base64, ...places.map(dataIn)];
  const bytes = encoded.map(bytesIn).find((image) => image !== null);
  return bytes === undefined ? null : { kind: 'bytes', bytes, revisedPrompt };
}

const dataUri = /^data:image\/[\w.+-]+;base64,/i;

/** A link that contains the image itself; null for any other. */
function dataIn(url: unknown): string | null {
  return typeof url === 'string' && dataUri.test(url) ? url : null;
}

/** The decoded base64 content; null for anything else. Whether it is a complete image is checked later. */
function bytesIn(value: unknown): Buffer | null {
  if (typeof value !== 'string' || value === '') return null;
  const bytes = Buffer.from(value.replace(dataUri, ''), 'base64');
  return bytes.length > 0 ? bytes : null;
}

/** The ways in which upstreams report a content filter, next to the images or in place of one. */
function isFiltered(body: JsonObject, items: readonly unknown[]): boolean {
  const { filtered } = body;
  if (isObject(filtered) || (typeof filtered === 'number' && filtered > 0)) return true;
  return items.some(
    (item) => isObject(item) && (isObject(item.error) || item.finish_reason === 'content_filter'),
  );
}
