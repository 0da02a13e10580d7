import { crc32, deflateSync } from 'node:zlib';
import { objectIn, objectsIn } from '../../../suites/rewrite/json.ts';
import { refusal } from '../../../suites/rewrite/refusal-edits.ts';
import { inBodies, inImages, inPictures, isImagesCall } from '../../edits/media-edits.ts';
import type { Mutant } from '../../edits/mutant.ts';
import { front, source } from '../../edits/mutant.ts';

/** Gateways whose image answers are wrong. */

export const shape: readonly Mutant[] = [
  front(
    ['img.status-202', 'image answers have status 202', 'IMG-001', 'answers-at-once'],
    inImages(() => 202),
  ),
  source(
    ['img.extended-webp-misread', 'an extended WEBP is as wide as it is high', 'IMG-001', 'any-picture-form'],
    'media/inspect-picture.ts',
    'width: bytes.readUIntLE(24, 3) + 1',
    'width: bytes.readUIntLE(27, 3) + 1',
  ),
  front(
    ['img.images-for-data', 'data is called images', 'IMG-001', 'shape'],
    inImages((answer) => {
      answer.images = answer.data;
      delete answer.data;
    }),
  ),
  front(
    ['img.created-ms', 'created of an image answer is in milliseconds', 'IMG-018', 'created-now'],
    inImages((answer) => {
      answer.created = Number(answer.created) * 1_000;
    }),
  ),
  front(
    ['img.created-text', 'created of an image answer is a string', 'IMG-018', 'shape'],
    inImages((answer) => {
      answer.created = new Date().toISOString();
    }),
  ),
  front(
    ['img.words-of-the-first', 'all images have the revised prompt of the first', 'IMG-019', 'own-words'],
    inImages((answer) => {
      const pictures = objectsIn(answer.data);
      for (const picture of pictures) picture.revised_prompt = pictures[0]?.revised_prompt;
    }),
  ),
  front(['img.text-plain', 'images are declared as text/plain', 'EP-003', 'json-answer'], {
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
];

/** The first image of the previous answer. */
let earlier: unknown;

export const counts: readonly Mutant[] = [
  front(
    ['img.one-picture-n-times', 'every element shows the first image', 'IMG-013', 'another-picture'],
    inImages((answer) => {
      const data = answer.data as unknown[];
      data.fill(data[0]);
    }),
  ),
  front(
    [
      'img.picture-of-another',
      'an answer begins with the image of the previous caller',
      'IMG-020',
      'own-pictures',
    ],
    inImages((answer) => {
      const data = answer.data as { b64_json?: string }[];
      const own = data[0];
      if (own?.b64_json === undefined) return;
      // Only every second caller gets it, so that the image's first owner detects it, too.
      if (earlier !== undefined) data[0] = { b64_json: String(earlier) };
      earlier = earlier === undefined ? own.b64_json : undefined;
    }),
  ),
  front(
    ['img.n-ignored', 'n is ignored', 'IMG-013', 'one-for-each'],
    inBodies(isImagesCall, (body) => delete body.n),
  ),
  front(
    ['img.two-by-default', 'without n two images are made', 'IMG-012', 'one-by-default'],
    inBodies(isImagesCall, (body) => {
      if (body.model === 'alpha-image-2' || body.model === 'gamma-3-pro-image') body.n ??= 2;
    }),
  ),
  front(['img.n-up-to-3', 'n of 4 is refused', 'IMG-011', 'accepts-count'], {
    request: (request) =>
      isImagesCall(request) && objectIn(request.body)?.n === 4 ? refusal('invalid_param', 'n') : request,
  }),
  front(
    ['img.n-clamped', 'n of 5 makes four images', 'IMG-011', 'outside'],
    inBodies(isImagesCall, (body) => {
      if (typeof body.n === 'number') body.n = Math.max(1, Math.min(4, body.n));
    }),
  ),
];

export const forms: readonly Mutant[] = [
  front(
    ['img.relative-url', 'url is a path', 'IMG-020', 'absolute-url'],
    inPictures((picture) => {
      if (typeof picture.url === 'string') picture.url = new URL(picture.url).pathname;
    }),
  ),
  front(
    ['img.dead-url', 'the url of an image answers 404', 'IMG-020', 'picture-at-url'],
    inPictures((picture) => {
      if (typeof picture.url === 'string') picture.url = picture.url.replace(/(\.\w+)$/, 'x$1');
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
    ['img.too-large', 'images are larger than their model promises', 'IMG-028', 'within-most-pixels'],
    inPictures((picture) => {
      picture.url = undefined;
      picture.b64_json = bigPng(2_100, 1_100).toString('base64');
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

/** A valid image in a single colour. */
function bigPng(width: number, height: number): Buffer {
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  // One grey bit per pixel.
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
