import { mediaModel } from '../../../suites/oracle/media/models.ts';
import {
  clamped,
  dropUnknown,
  inPicture,
  isForeign,
  isImagesCall,
  lenient,
  link,
  lowered,
  numbered,
  refusedAfterwards,
  strict,
  without,
} from '../../edits/media-edits.ts';
import type { Mutant } from '../../edits/mutant.ts';
import { front } from '../../edits/mutant.ts';

const values: readonly Mutant[] = [
  inPicture(
    ['imgm.upsampling-dropped', 'prompt_upsampling is not passed on', 'IMGM-046', 'forwarded'],
    'kx-pro-1',
    without('rewrite_prompt', (value) => value === true),
  ),
  inPicture(
    ['imgm.prompt-cut', 'the prompt of an image is cut at 3,000 characters', 'IMG-032', 'text-whole'],
    'mg4-image-1',
    (body) => {
      body.prompt = String(body.prompt).slice(0, 3_000);
    },
  ),
  inPicture(
    ['imgm.references-merged', 'equal reference images reach the upstream once', 'IMGM-026', 'forwarded'],
    'mg4-image-1',
    (body) => {
      if (Array.isArray(body.reference_images)) body.reference_images = [...new Set(body.reference_images)];
    },
  ),
  inPicture(
    ['imgm.seed-dropped', 'the seed is not passed on', 'IMGM-047', 'forwarded'],
    'g3p-image-2026-09',
    without('seed'),
  ),
  inPicture(
    [
      'imgm.watermark-left-to-upstream',
      'an omitted watermark is left to the upstream',
      'IMGM-048',
      'default-sent',
    ],
    'dream-4-260801',
    without('watermark', (value) => value === false),
  ),
  inPicture(
    ['imgm.watermark-dropped', 'a watermark that is asked for is not passed on', 'IMGM-048', 'forwarded'],
    'dream-4-260801',
    without('watermark', (value) => value === true),
  ),
];

/** Gateways that are wrong about the fields of image models. */
export const imgmMutants: readonly Mutant[] = [
  lenient(
    ['imgm.case-folded', 'the case of quality does not matter', 'IMG-031', 'spelling'],
    'alpha-image-2',
    (body) => lowered(body, 'quality'),
  ),
  lenient(['imgm.count-text', 'n may be a string', 'IMG-010', 'type'], 'alpha-image-2', (body) =>
    numbered(body, 'n'),
  ),
  lenient(
    ['imgm.count-clamped', 'an n above four makes four images', 'IMGM-010', 'outside'],
    'gamma-3-pro-image',
    (body) => clamped(body, 'n', 1, 4),
  ),
  lenient(
    ['imgm.foreign-ignored', 'fields of other image models are ignored', 'IMG-022', 'foreign-refused'],
    'gamma-3-pro-image',
    (body) => dropUnknown(body, isForeign),
  ),
  lenient(
    ['imgm.http-reference', 'a reference may have an http address', 'IMG-026', 'no-link'],
    'kontext-pro',
    (body) => {
      if (String(body.reference_image_url).startsWith('http:')) body.reference_image_url = link;
    },
  ),
  lenient(
    ['imgm.unknown-ignored', 'unknown image fields are ignored', 'IMG-023', 'unknown-refused'],
    'kontext-max',
    (body) => dropUnknown(body, (name) => name.startsWith('zz_')),
  ),
  lenient(
    ['imgm.four-references', 'references beyond the third are dropped', 'IMGM-026', 'too-many'],
    'motion-gen4-image',
    (body) => {
      if (Array.isArray(body.reference_images) && body.reference_images.length > 3)
        body.reference_images = body.reference_images.slice(0, 3);
    },
  ),
  lenient(
    ['imgm.stylize-clamped', 'stylize beyond its range is the end of it', 'IMGM-031', 'outside'],
    'journey-v7',
    (body) => clamped(body, 'stylize', 0, 1_000),
  ),
  lenient(
    ['imgm.watermark-text', 'watermark may be a text or a number', 'IMG-029', 'type'],
    'dream-4-0',
    (body) => {
      if ('watermark' in body && body.watermark !== null) body.watermark = Boolean(body.watermark);
    },
  ),
  lenient(
    ['imgm.edits-nothing', 'edit-image works without an input image', 'IMGM-042', 'required'],
    'edit-image',
    (body) => {
      body.image_url ??= link;
    },
  ),
  lenient(
    ['imgm.prompt-optional', 'an image needs no prompt', 'IMG-006', 'required'],
    'vector-v3',
    (body) => {
      body.prompt ??= 'Something.';
    },
  ),
  lenient(
    ['imgm.prompt-any-type', 'a prompt of another type becomes a text', 'IMG-007', 'type'],
    'vector-v3',
    (body) => {
      if ('prompt' in body && body.prompt !== null && typeof body.prompt !== 'string')
        body.prompt = 'Something.';
    },
  ),
  lenient(
    ['imgm.count-ignored', 'n is ignored where a model does not list it', 'IMG-011', 'clean-either-way'],
    'vector-v3',
    (body) => {
      delete body.n;
    },
  ),
  lenient(
    ['imgm.user-any-type', 'a user of another type is left out', 'IMG-017', 'type'],
    'kontext-max',
    (body) => {
      if (typeof body.user !== 'string') delete body.user;
    },
  ),
  lenient(
    ['imgm.size-any-type', 'a size of another type is left out', 'IMG-014', 'type'],
    'kontext-pro',
    (body) => {
      if (typeof body.size !== 'string') delete body.size;
    },
  ),
  lenient(
    ['imgm.quality-any-type', 'a quality of another type is left out', 'IMG-015', 'type'],
    'edit-image',
    (body) => {
      if (typeof body.quality !== 'string') delete body.quality;
    },
  ),
  strict(
    ['imgm.ratio-refused', 'one of the ratios is refused', 'IMGM-009', 'accepts-legal'],
    (body) => body.model === 'gamma-3-pro-image' && body.aspect_ratio === '21:9',
    'aspect_ratio',
  ),
  strict(
    ['imgm.short-ratios-only', 'a ratio of three digits is refused', 'IMGM-030', 'accepts-legal'],
    (body) => body.model === 'journey-v7' && /\d{3}/.test(String(body.aspect_ratio)),
    'aspect_ratio',
  ),
  strict(
    ['imgm.webhook-refused', 'image models take no webhook_url', 'IMG-024', 'webhook-accepted'],
    (body) =>
      mediaModel(String(body.model))?.endpoint === 'images' &&
      'webhook_url' in body &&
      /^https:\/\/./.test(String(body.webhook_url)),
    'webhook_url',
  ),
  lenient(
    ['imgm.webhook-http', 'a webhook_url may be any address', 'IMG-025', 'webhook-refused'],
    'dream-4-0',
    (body) => {
      if (String(body.webhook_url).startsWith('http:')) delete body.webhook_url;
    },
  ),
  front(
    [
      'imgm.refused-too-late',
      'an unknown field is refused only after the image is made',
      'IMG-023',
      'nothing-made',
    ],
    refusedAfterwards(isImagesCall),
  ),
  ...values,
];
