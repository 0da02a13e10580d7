import { crc32, deflateSync } from 'node:zlib';
import { objectIn } from '../../mutation/json.ts';
import {
  drawsAnyway,
  inBodies,
  inImages,
  inPicture,
  inPictures,
  isImagesCall,
  lenient,
  modelOf,
  strict,
  without,
} from '../../mutation/media-edits.ts';
import type { Mutant } from '../../mutation/mutant.ts';
import { front } from '../../mutation/mutant.ts';
import { codeOf, inErrors, refusal } from '../../mutation/refusal-edits.ts';

/** Gateways whose image answers are wrong. */

const shape: readonly Mutant[] = [
  front(
    ['img.status-202', 'pictures come with status 202', 'IMG-001', 'answers-at-once'],
    inImages(() => 202),
  ),
  front(
    ['img.images-for-data', 'data is called images', 'IMG-001', 'shape'],
    inImages((answer) => {
      answer.images = answer.data;
      delete answer.data;
    }),
  ),
  front(
    ['img.created-ms', 'created of pictures is in milliseconds', 'IMG-018', 'created-now'],
    inImages((answer) => {
      answer.created = Number(answer.created) * 1_000;
    }),
  ),
  front(
    ['img.created-text', 'created of pictures is a text', 'IMG-018', 'shape'],
    inImages((answer) => {
      answer.created = new Date().toISOString();
    }),
  ),
  front(
    ['img.created-upstreams', 'created is the time of an upstream that runs late', 'IMG-018', 'created-now'],
    inImages((answer) => {
      answer.created = Number(answer.created) - 7_200;
    }),
  ),
  front(['img.text-plain', 'pictures are declared as text/plain', 'EP-003', 'json-answer'], {
    answer: (answer, request) =>
      isImagesCall(request) ? { ...answer, headers: [['content-type', 'text/plain']] } : answer,
  }),
  front(
    ['img.no-form', 'an element of data has neither url nor b64_json', 'IMG-019', 'shape'],
    inPictures((picture) => {
      delete picture.url;
      delete picture.b64_json;
    }),
  ),
  front(
    ['img.bare-urls', 'elements of data are no objects', 'IMG-019', 'shape'],
    inImages((answer) => {
      answer.data = (answer.data as { url?: string }[]).map(({ url }) => url ?? '');
    }),
  ),
];

const counts: readonly Mutant[] = [
  front(
    ['img.n-ignored', 'n is ignored', 'IMG-013', 'one-for-each'],
    inBodies(isImagesCall, (body) => delete body.n),
  ),
  front(
    ['img.data-short', 'one of several pictures is lost', 'IMG-013', 'one-for-each'],
    inImages((answer) => {
      const data = answer.data as unknown[];
      if (data.length > 2) data.pop();
    }),
  ),
  front(
    ['img.two-by-default', 'two pictures come where no number is named', 'IMG-012', 'one-by-default'],
    inBodies(isImagesCall, (body) => {
      if (body.model === 'alpha-image-2' || body.model === 'gamma-3-pro-image') body.n ??= 2;
    }),
  ),
  front(['img.n-up-to-3', 'four pictures are too many', 'IMG-011', 'accepts-count'], {
    request: (request) =>
      isImagesCall(request) && objectIn(request.body)?.n === 4 ? refusal('invalid_param', 'n') : request,
  }),
  front(
    ['img.n-clamped', 'five pictures are four', 'IMG-011', 'outside'],
    inBodies(isImagesCall, (body) => {
      if (typeof body.n === 'number') body.n = Math.max(1, Math.min(4, body.n));
    }),
  ),
];

const forms: readonly Mutant[] = [
  front(
    ['img.relative-url', 'url is a path', 'IMG-020', 'absolute-url'],
    inPictures((picture) => {
      if (typeof picture.url === 'string') picture.url = new URL(picture.url).pathname;
    }),
  ),
  front(
    ['img.dead-url', 'nothing stands at url', 'IMG-020', 'picture-at-url'],
    inPictures((picture) => {
      if (typeof picture.url === 'string') picture.url = picture.url.replace(/(\.\w+)$/, 'x$1');
    }),
  ),
  front(
    ['img.base64-always', 'every picture comes as base64', 'IMG-020', 'absolute-url'],
    inPictures((picture) => {
      delete picture.url;
      picture.b64_json = bigPng(8, 8).toString('base64');
    }),
  ),
  front(
    ['img.url-always', 'every picture comes as a link', 'IMG-021', 'plain-base64'],
    inPictures((picture) => {
      if (picture.b64_json === undefined) return;
      delete picture.b64_json;
      picture.url = 'https://media.example.com/sea.png';
    }),
  ),
  front(
    ['img.data-uri', 'b64_json is a data URI', 'IMG-021', 'plain-base64'],
    inPictures((picture) => {
      if (typeof picture.b64_json === 'string')
        picture.b64_json = `data:image/png;base64,${picture.b64_json}`;
    }),
  ),
  front(
    ['img.base64-cut', 'b64_json is cut short', 'IMG-021', 'picture-in-base64'],
    inPictures((picture) => {
      if (typeof picture.b64_json === 'string') picture.b64_json = picture.b64_json.slice(0, 64);
    }),
  ),
  front(
    ['img.too-large', 'pictures are larger than their model promises', 'IMG-028', 'within-most-pixels'],
    inPictures((picture) => {
      picture.url = undefined;
      picture.b64_json = bigPng(2_100, 1_100).toString('base64');
    }),
  ),
  front(
    ['img.too-large-base64', 'pictures in base64 are larger than promised', 'IMG-028', 'within-most-pixels'],
    inPictures((picture) => {
      if (typeof picture.b64_json === 'string') picture.b64_json = bigPng(1_537, 16).toString('base64');
    }),
  ),
  front(['img.tall-refused', 'some shapes are not drawn', 'IMG-028', 'shape-served'], {
    request: (request) => {
      const { size, aspect_ratio: ratio } = objectIn(request.body) ?? {};
      const isSuch = size === 'auto' || ratio === '21:9' || ratio === '3:4' || ratio === '9:16';
      return isImagesCall(request) && isSuch ? refusal('invalid_param', 'aspect_ratio') : request;
    },
  }),
];

const models: readonly Mutant[] = [
  front(
    ['img.no-model-elsewhere', 'a missing model is told as a fault of the prompt', 'IMG-002', 'param'],
    inErrors((error, _answer, request) => {
      if (isImagesCall(request) && error.param === 'model') error.param = 'prompt';
    }),
  ),
  front(
    ['img.default-model', 'a missing model is the usual one', 'IMG-002', 'model-required'],
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
      'a model of another kind is only found out later',
      'IMG-004',
      'no-upstream-call',
    ],
    {
      request: (request) => {
        const body = isImagesCall(request) ? objectIn(request.body) : null;
        if (body === null || !/^vid|^song|^voice/.test(String(body.model))) return request;
        const headers = [...request.headers, ['x-too-late', String(body.model)] as const];
        return { ...request, headers, body: Buffer.from(JSON.stringify({ ...body, model: 'kontext-pro' })) };
      },
      answer: (answer, request) =>
        request.headers.some(([name]) => name === 'x-too-late') ? refusal('model_not_found') : answer,
    },
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

const references: readonly Mutant[] = [
  front(['img.no-webp', 'a WebP is no reference image', 'IMG-027', 'type-accepted'], {
    request: (request) => {
      const { reference_image_url: url } = objectIn(request.body) ?? {};
      const isSuch = isImagesCall(request) && typeof url === 'string' && url.endsWith('.webp');
      return isSuch ? refusal('invalid_param', 'reference_image_url') : request;
    },
  }),
  front(
    [
      'img.bad-reference-502',
      'a bad reference image is put down to the upstream',
      'IMG-027',
      'other-type-refused',
    ],
    {
      answer: (answer, request) =>
        isImagesCall(request) && codeOf(answer) === 'invalid_param' ? refusal('upstream_error') : answer,
    },
  ),
];

/** A whole picture of one colour. */
function bigPng(width: number, height: number): Buffer {
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  // One bit of grey for each pixel.
  head[8] = 1;
  const rows = Buffer.alloc((1 + Math.ceil(width / 8)) * height);
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  return Buffer.concat([
    signature,
    chunk('IHDR', head),
    chunk('IDAT', deflateSync(rows)),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function chunk(type: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  sum.writeUInt32BE(crc32(named));
  return Buffer.concat([length, named, sum]);
}
const values: readonly Mutant[] = [
  inPicture(
    ['img.ratio-sixteen-nine-dropped', 'the ratio 16:9 is not passed on', 'IMGM-025', 'forwarded'],
    'mg4-image-1',
    without('ratio', (ratio) => ratio === '16:9'),
  ),
  inPicture(
    ['img.quality-default-low', 'an omitted quality is sent as low', 'IMG-030', 'default-sent'],
    'a2-image-2026-08',
    (body) => {
      if (body.quality === 'auto') body.quality = 'low';
    },
  ),
];
const fields: readonly Mutant[] = [
  lenient(['img.prompt-cut', 'a prompt that is too long is cut', 'IMG-008', 'too-long'], null, (body) => {
    if (typeof body.prompt === 'string') body.prompt = [...body.prompt].slice(0, 4_000).join('');
  }),
  strict(
    ['img.prompt-3999', 'a prompt must be shorter than the limit', 'IMG-008', 'accepts-limit'],
    (body) => [...String(body.prompt)].length === 4_000 && /^[ -~]*$/.test(String(body.prompt)),
    'prompt',
  ),
  strict(
    ['img.prompt-bytes', 'the limit of prompts counts bytes', 'IMG-009', 'characters-not-bytes'],
    (body) => [...String(body.prompt)].length <= 4_000 && Buffer.byteLength(String(body.prompt)) > 4_000,
    'prompt',
  ),
];

export const imgMutants: readonly Mutant[] = [
  ...shape,
  ...counts,
  ...forms,
  ...models,
  ...references,
  ...values,
  ...fields,
];
