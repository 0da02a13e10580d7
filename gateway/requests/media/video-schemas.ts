import { z } from 'zod';
import { mediaKind } from '../media-url.ts';
import { flag, oneInt, oneOf, longText as prompt, taskId, upstreamId, withDefault } from './fields.ts';
import type { UrlSchema } from './https-url.ts';

const fiveOrTen = withDefault(oneInt(5, 10), 5);

/** An image embedded in the body (B-78). */
const dataUri = z
  .string('must be a string')
  .refine(
    (text) => /^data:/i.test(text) && mediaKind(text) === 'image',
    'must be an https URL or a data URI of the form data:image/…;base64,…',
  )
  .meta({ pattern: '^[Dd][Aa][Tt][Aa]:[Ii][Mm][Aa][Gg][Ee]/' });

/** Fields of both vidA models. Only they have a resolution (B-74, B-75); their videos last 8 seconds (B-76). */
const vidA = {
  prompt,
  aspect_ratio: withDefault(oneOf('16:9', '9:16', '1:1'), '16:9'),
  audio: withDefault(flag, true),
  duration: withDefault(oneInt(8), 8),
  resolution: withDefault(oneOf('480p', '720p', '1080p'), '1080p'),
} as const;

/**
 * The fields of the video models and of motion-act-two (specification, "Video per-model parameters"; B-74 to
 * B-82).
 */
export function videoFields(url: UrlSchema) {
  const picture = z.union([url, dataUri], 'must be an https URL or a base64 data URI of an image');
  const earlierTask = z.strictObject({ task_id: taskId });
  return {
    'vidA-3.1-quality': {
      ...vidA,
      image: z
        .union(
          [url, dataUri, earlierTask],
          'must be an https URL, a base64 data URI of an image, or an object with the task_id of an image task',
        )
        .nullish(),
    },
    'vidA-3.1-fast': { ...vidA, image: picture.nullish() },
    vidB2: { prompt, duration: fiveOrTen, aspect_ratio: withDefault(oneOf('16:9', '9:16'), '16:9') },
    'motion-gen3-alpha-turbo': {
      prompt,
      image_url: url,
      duration: fiveOrTen,
      camera_motion: upstreamId.nullish(),
    },
    'motion-gen4': { prompt, image_url: url.nullish(), duration: fiveOrTen },
    'motion-aleph': { prompt, video_url: url },
    'vidC-v21-master-i2v': { prompt, image_url: url, duration: fiveOrTen },
    'vidC-v21-master-t2v': { prompt, duration: fiveOrTen },
    'vidC-v25-i2v-pro': { prompt, image_url: url, duration: fiveOrTen },
    'vidC-v25-t2v-pro': { prompt, duration: fiveOrTen },
    'vidC-avatar-std': { prompt, image_url: url, audio_url: url },
    'vidC-avatar-pro': { prompt, image_url: url, audio_url: url },
    // Camera directives in brackets are part of the prompt, which is forwarded unchanged (B-80).
    'vidD-02': { prompt, image_url: url.nullish(), duration: withDefault(oneInt(6, 10), 6) },
    'delta-imagine-t2v': { prompt, duration: fiveOrTen },
    'delta-imagine-i2v': { prompt, image_url: url },
    'upscale-video': { video_url: url, target_resolution: withDefault(oneOf('1080p', '4k'), '4k') },
    'talk-audio': { driver_audio_url: url, driver_image_url: url },
    'motion-act-two': { character_video_url: url, driver_video_url: url },
  } as const;
}
