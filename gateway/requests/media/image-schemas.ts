import { z } from 'zod';
import { flag, intFrom, oneOf, imagePrompt as prompt, seed, upstreamId, withDefault } from './fields.ts';
import type { UrlSchema } from './https-url.ts';

const maxImages = 4;
const maxReferences = 3;

const n = withDefault(intFrom(1, maxImages), 1);
const ratio = oneOf('1:1', '16:9', '9:16', '4:3', '3:4', '21:9');

/** The fields of the synchronous image models (specification, "Image per-model parameters"; B-48 to B-60). */
export function imageFields(url: UrlSchema) {
  return {
    'alpha-image-2': {
      prompt,
      size: withDefault(oneOf('1024x1024', '1536x1024', '1024x1536', 'auto'), '1024x1024'),
      quality: withDefault(oneOf('low', 'medium', 'high', 'auto'), 'auto'),
      n,
      response_format: withDefault(oneOf('url', 'b64_json'), 'url'),
    },
    'gamma-3-pro-image': { prompt, aspect_ratio: withDefault(ratio, '1:1'), n, seed },
    'kontext-pro': {
      prompt,
      aspect_ratio: withDefault(ratio, '1:1'),
      prompt_upsampling: withDefault(flag, false),
      seed,
      reference_image_url: url.nullish(),
    },
    'kontext-max': {
      prompt,
      aspect_ratio: withDefault(ratio, '1:1'),
      reference_image_url: url.nullish(),
      seed,
    },
    'motion-gen4-image': {
      prompt,
      aspect_ratio: withDefault(oneOf('16:9', '9:16', '1:1', '4:3', '3:4'), '16:9'),
      reference_images: z
        .array(url, 'must be an array of URLs')
        .max(maxReferences, `must have at most ${maxReferences} entries`)
        .nullish(),
      seed,
    },
    'dream-4-0': {
      prompt,
      size: withDefault(oneOf('1K', '2K', '4K'), '2K'),
      aspect_ratio: withDefault(oneOf('1:1', '16:9', '9:16', '4:3', '3:4'), '1:1'),
      watermark: withDefault(flag, false),
    },
    'edit-image': { prompt, image_url: url },
    'vector-v3': { prompt, style: upstreamId.nullish() },
  } as const;
}
