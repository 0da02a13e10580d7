import { isObject, type JsonObject } from '../../http/parse-json.ts';
import type { ImagesMade, UpstreamImage } from '../media/media-outcome.ts';
import { linkIn } from '../media/read-link.ts';
import { failure, type UpstreamFailure } from '../outcome.ts';

/** Maximum length of a rewritten prompt in the answer. */
const maxPrompt = 20_000;

/** Where answers have their images. */
const places = ['data', 'images', 'output', 'artifacts', 'predictions', 'result'];
const innerPlaces = [...places, 'results', 'image_urls', 'image_base64', 'sample'];
const maxDepth = 3;

/**
 * The requested number of images from an answer. Fewer count as none (reading B-57). The cause is a content filter
 * if the answer says so. Otherwise the upstream failed (fault M12), by the request alone if it just sent fewer: filters can be
 * silent. Extra images are dropped.
 */
export function readImages(body: unknown, count: number, baseUrl: string): ImagesMade | UpstreamFailure {
  const given = isObject(body) ? firstOf(body, places) : null;
  if (!isObject(body) || given === null)
    return failure('unusable', 'an answer without images', { status: 200 });
  const listed = itemsIn(given.value, 0);
  const flags = Array.isArray(body.has_nsfw_concepts) ? body.has_nsfw_concepts : [];
  const shown = listed.filter((item, i) => flags[i] !== true && !isBlurred(item));
  const images = shown.flatMap((item: unknown) => imageIn(item, baseUrl) ?? []).slice(0, count);
  if (images.length === count) return { kind: 'images', images };
  if (shown.length < listed.length || isFiltered(body, listed))
    return failure('policy', 'a filter dropped images', { status: 200 });
  const isReadable = images.length === listed.filter((item) => item !== null).length;
  return failure(isReadable ? 'refused' : 'unusable', `${images.length} images for ${count}`, {
    status: 200,
  });
}

/** The images of a place as they are written: a list, one of them, or an object that wraps either. */
function itemsIn(given: unknown, depth: number): readonly unknown[] {
  if (Array.isArray(given)) return given;
  const inner = isObject(given) && depth < maxDepth ? firstOf(given, innerPlaces) : null;
  if (inner === null) return [given];
  const items = itemsIn(inner.value, depth + 1);
  return inner.place === 'image_base64' ? items.map((base64) => ({ base64 })) : items;
}

function firstOf(
  from: JsonObject,
  names: readonly string[],
): { readonly place: string; readonly value: unknown } | null {
  const place = names.find((name) => from[name] !== undefined && from[name] !== null);
  return place === undefined ? null : { place, value: from[place] };
}

function imageIn(given: unknown, baseUrl: string): UpstreamImage | null {
  const item = isObject(given) ? given : { url: given };
  const { revised_prompt: revised } = item;
  const revisedPrompt = typeof revised === 'string' && revised !== '' ? revised.slice(0, maxPrompt) : null;
  // Some providers wrap the link once more.
  const links = [item.url, item.image_url, item.image].map((place) => (isObject(place) ? place.url : place));
  const url = links.map((place) => linkIn(place, baseUrl)).find((link) => link !== null);
  if (url !== undefined) return { kind: 'link', url, revisedPrompt };
  const encoded = [
    item.base64,
    item.b64_json,
    item.image_base64,
    item.bytesBase64Encoded,
    ...links.map(dataIn),
  ];
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
  return items.some((item) => isBlurred(item) || (isObject(item) && isObject(item.error)));
}

/** Whether a filter has stopped an image, also if a blurred or black one stands in its place. */
function isBlurred(item: unknown): boolean {
  if (!isObject(item)) return false;
  const reason = item.finish_reason ?? item.finishReason ?? item.raiFilteredReason;
  const isNamed = typeof reason === 'string' && filterWords.test(reason);
  return isNamed || item.nsfw === true || item.nsfw_content_detected === true;
}

const filterWords = /filter|safety|moderat|sensitive|nsfw/i;
