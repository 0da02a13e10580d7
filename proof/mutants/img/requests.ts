import { objectIn } from '../../../suites/rewrite/json.ts';
import { codeOf, inErrors, refusal } from '../../../suites/rewrite/refusal-edits.ts';
import {
  drawsAnyway,
  inBodies,
  inPicture,
  isImagesCall,
  lenient,
  modelOf,
  refusedLate,
  strict,
} from '../../edits/media-edits.ts';
import type { Mutant } from '../../edits/mutant.ts';
import { front } from '../../edits/mutant.ts';

/** Gateways that are wrong about the models and fields of image requests. */

export const models: readonly Mutant[] = [
  front(
    ['img.no-model-elsewhere', 'the refusal of a missing model names the prompt', 'IMG-002', 'param'],
    inErrors((error, _answer, request) => {
      if (isImagesCall(request) && error.param === 'model') error.param = 'prompt';
    }),
  ),
  front(
    ['img.default-model', 'a missing model becomes a default one', 'IMG-002', 'model-required'],
    inBodies(isImagesCall, (body) => {
      if (typeof body.model !== 'string') body.model = 'kontext-pro';
    }),
  ),
  front(
    ['img.unknown-model-400', 'an unknown image model is an invalid_param', 'IMG-003', 'unknown-id'],
    inErrors((error, _answer, request) => {
      if (!isImagesCall(request) || error.code !== 'model_not_found') return undefined;
      error.code = 'invalid_param';
      return 400;
    }),
  ),
  front(
    ['img.any-model', 'models of other kinds draw as well', 'IMG-004', 'image-models-only'],
    drawsAnyway((request) => modelOf(request) !== 'journey-v7'),
  ),
  front(
    [
      'img.other-kind-reaches-upstream',
      'a wrong kind of model is refused late',
      'IMG-004',
      'no-upstream-call',
    ],
    refusedLate((request) => {
      const body = isImagesCall(request) ? objectIn(request.body) : null;
      return body !== null && /^vid|^song|^voice/.test(String(body.model))
        ? { ...body, model: 'kontext-pro' }
        : null;
    }, refusal('model_not_found')),
  ),
  front(
    ['img.journey-drawn', 'journey-v7 draws at once', 'IMG-005', 'no-image-data'],
    drawsAnyway((request) => modelOf(request) === 'journey-v7'),
  ),
  front(
    [
      'img.journey-502',
      'journey-v7 at the images endpoint is a failure of an upstream',
      'IMG-005',
      'refused',
    ],
    {
      answer: (answer, request) =>
        isImagesCall(request) && modelOf(request) === 'journey-v7' ? refusal('upstream_error') : answer,
    },
  ),
];

export const references: readonly Mutant[] = [
  front(['img.no-webp', 'a WebP reference image is refused', 'IMG-027', 'type-accepted'], {
    request: (request) => {
      const { reference_image_url: url } = objectIn(request.body) ?? {};
      const isSuch = isImagesCall(request) && typeof url === 'string' && url.endsWith('.webp');
      return isSuch ? refusal('invalid_param', 'reference_image_url') : request;
    },
  }),
  front(
    [
      'img.bad-reference-502',
      'a bad reference image is reported as an upstream error',
      'IMG-027',
      'other-type-refused',
    ],
    {
      answer: (answer, request) =>
        isImagesCall(request) && codeOf(answer) === 'invalid_param' ? refusal('upstream_error') : answer,
    },
  ),
];

export const values: readonly Mutant[] = [
  inPicture(
    ['img.quality-default-low', 'an omitted quality is sent as low', 'IMG-030', 'default-sent'],
    'a2-image-2026-08',
    (body) => {
      if (body.quality === 'auto') body.quality = 'low';
    },
  ),
];
export const fields: readonly Mutant[] = [
  lenient(['img.prompt-cut', 'a prompt that is too long is cut', 'IMG-008', 'too-long'], null, (body) => {
    if (typeof body.prompt === 'string') body.prompt = [...body.prompt].slice(0, 4_000).join('');
  }),
  strict(
    ['img.prompt-3999', 'a prompt must be shorter than the limit', 'IMG-008', 'accepts-limit'],
    (body) => [...String(body.prompt)].length === 4_000 && Buffer.byteLength(String(body.prompt)) < 4_500,
    'prompt',
  ),
  strict(
    ['img.prompt-bytes', 'the limit of prompts counts bytes', 'IMG-009', 'characters-not-bytes'],
    (body) => [...String(body.prompt)].length <= 4_000 && Buffer.byteLength(String(body.prompt)) >= 4_500,
    'prompt',
  ),
];
