import type { JsonObject } from '../../http/parse-json.ts';
import { type FieldNames, renamed } from './field-names.ts';
import { jsonOf } from './large-pictures.ts';

/** Names of our fields in the images dialect. */
export const imagesNames: FieldNames = {
  n: 'count',
  aspect_ratio: 'ratio',
  response_format: 'output',
  prompt_upsampling: 'rewrite_prompt',
  reference_image_url: 'reference_images',
  image_url: 'source_image',
};

/** Defaults that the gateway promises even for models without these fields: one image, by link. */
const unlisted = { count: 1, output: 'url' } as const;

/**
 * The body in the images dialect. It states everything that the gateway promises, because upstreams have other
 * defaults.
 */
export function imagesBody(fields: JsonObject, nativeModel: string): string {
  const { reference_image_url: reference, response_format: form } = fields;
  const native = renamed(fields, imagesNames);
  if (reference !== undefined) native.reference_images = [reference];
  if (form === 'b64_json') native.output = 'base64';
  return jsonOf({ model: nativeModel, ...unlisted, ...native });
}
