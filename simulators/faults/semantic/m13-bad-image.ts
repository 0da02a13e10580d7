import type { NativeAnswer } from '../../answers/native-answer.ts';
import { renderJpeg } from '../../encoders/jpeg.ts';
import { type Picture, renderPng } from '../../encoders/png.ts';
import type { Fault, FaultContext, JobFault } from '../../fault-contract/fault.ts';
import { isObject } from '../../json/json-body.ts';
import { editJson, type JsonObject } from '../native/answer-json.ts';
import { ofForm, oneBody } from '../native/refusal.ts';

/** Pixels. Longer than any image that a model makes. */
const tooLong = 4_112;

const small: Picture = { width: 512, height: 512, sky: [200, 220, 255], sea: [0, 60, 120], description: '' };

/** A valid answer whose images are not valid images, inline or behind links. */
export const badImage: Fault = {
  id: 'M13',
  kind: 'job',
  plan: (context): JobFault => ofForm(context, plans)(context),
};

const plans: Readonly<Record<string, (context: FaultContext) => JobFault>> = {
  cut: () => otherBytes('image/png', (picture) => cutAt(picture, 0.6)),
  // It ends within its pixels, without an end marker.
  'cut-jpeg': () => otherBytes('image/jpeg', () => cutAt(renderJpeg(small, {}), 0.6)),
  'no-scan': () => otherBytes('image/jpeg', () => renderJpeg(small, {}, false)),
  html: () => otherBytes('text/html', () => Buffer.from('<html><body>Sign in to see it.</body></html>\n')),
  text: () => otherBytes('image/png', () => Buffer.from('a small boat on a calm sea, seen from above\n')),
  'too-large': () => otherBytes('image/png', () => large()),
  'dead-link': (context) => ({
    submit: (given) => editImages(given, (image) => ('base64' in image ? { url: deadLink(context) } : image)),
    file: ({ dialect }) =>
      oneBody(dialect, {
        status: 404,
        headers: { 'content-type': 'text/plain' },
        body: Buffer.from('gone\n'),
      }),
  }),
  garbled: () => ({
    submit: (given) =>
      editImages(given, (image) => ('base64' in image ? { base64: '%PDF?' } : { url: 'see attachment' })),
  }),
  neither: () => ({ submit: (given) => editImages(given, () => ({})) }),
};

/** Replaces the bytes of every image, inline or behind a link. */
function otherBytes(type: string, change: (picture: Buffer) => Buffer): JobFault {
  return {
    submit: (given) =>
      editImages(given, (image) =>
        typeof image.base64 === 'string'
          ? { ...image, base64: change(Buffer.from(image.base64, 'base64')).toString('base64') }
          : image,
      ),
    file: (given) => {
      const body = change(Buffer.concat(given.frames.map(({ bytes }) => bytes)));
      const headers = { ...given.headers, 'content-type': type };
      return oneBody(given.dialect, { status: given.status, headers, body });
    },
  };
}

function editImages(given: NativeAnswer, edit: (image: JsonObject) => JsonObject): NativeAnswer {
  return editJson(given, (document) => {
    const { data } = document;
    if (!Array.isArray(data)) return document;
    return { ...document, data: data.map((image) => (isObject(image) ? edit(image as JsonObject) : image)) };
  });
}

/** A link into the same channel, to a file that does not exist. */
function deadLink({ host, target }: FaultContext): string {
  const base = target.slice(0, target.indexOf('/v1/'));
  return `http://${host}${base}/v1/files/none.png?expires=1&signature=none`;
}

function cutAt(bytes: Buffer, share: number): Buffer {
  return bytes.subarray(0, Math.floor(bytes.length * share));
}

function large(): Buffer {
  return renderPng({ ...small, width: tooLong, height: tooLong, description: 'larger than asked for' });
}
