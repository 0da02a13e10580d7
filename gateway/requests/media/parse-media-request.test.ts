import { expect, it } from 'vitest';
import { mediaModels } from '../../catalogue/media-models.ts';
import { GatewayError } from '../../errors/gateway-error.ts';
import { parseJsonObject } from '../../http/parse-json.ts';
import { createOutbound } from '../../outbound/create-outbound.ts';
import { scriptedResolve } from '../../outbound/resolve.ts';
import { mediaBodies, mediaBody } from '../../testing/media-bodies.ts';
import { harmlessSpellings, privateSpellings } from '../../testing/url-spellings.ts';
import type { UrlRules } from './https-url.ts';
import type { MediaRequest } from './media-request.ts';
import { parseMediaRequest } from './parse-media-request.ts';

type Body = Readonly<Record<string, unknown>>;

/** The rules of a production gateway, and of a test gateway. */
const closed = rulesThat(false);
const open = rulesThat(true);

function rulesThat(takesPrivate: boolean): UrlRules {
  return createOutbound({
    ports: [443, 8443],
    allowedHosts: takesPrivate ? ['127.0.0.1:8443'] : [],
    resolve: scriptedResolve({}),
  });
}

/** Parses a body, which names its model. */
function parseBody(body: Body | string, takesPrivate = false): MediaRequest {
  const parsed = parseJsonObject(Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)));
  const model = mediaModels.get(String(parsed.value.model));
  if (model === undefined) throw new Error(`no such model: ${String(parsed.value.model)}`);
  return parseMediaRequest(parsed, model, takesPrivate ? open : closed);
}

/** The field for which a body is rejected; null when it is accepted. */
function refusedFor(body: Body | string): string | null {
  try {
    parseBody(body);
    return null;
  } catch (error) {
    if (!(error instanceof GatewayError) || error.code !== 'invalid_param') throw error;
    return error.param;
  }
}

const noText = [5, 0, true, [], {}, ['a']] as const;
const noUrl = [
  ...noText,
  '',
  'sea.png',
  '/sea.png',
  'http://media.example.com/sea.png',
  'ftp://media.example.com/sea.png',
  'https://',
  'https:///sea.png',
  'https://media example.com/sea.png',
  'https://user:word@media.example.com/sea.png',
  'https://localhost/sea.png',
  'https://127.0.0.1/sea.png',
  'https://10.1.2.3/sea.png',
  'https://192.168.0.1./sea.png',
  'https://[::1]/sea.png',
  'https://[::ffff:10.0.0.1]/sea.png',
  `https://media.example.com/${'a'.repeat(8192)}`,
  'data:text/plain;base64,AAAA',
] as const;
const urls = [
  'https://media.example.com/sea.png',
  'HTTPS://media.example.com/sea.png?size=1#top',
  'https://93.184.215.14:8443/sea',
] as const;

const webhooks = urls.filter((url) => !url.includes('#'));
const noWebhook = [
  'https://hooks.example.com/#done',
  'https://hooks.example.com:444/',
  'https://hooks.example.com:22/',
];
const models = [...mediaModels.keys()];

it('accepts a request for each of the thirty models', () => {
  expect(models).toHaveLength(30);
  for (const body of mediaBodies.values()) expect(refusedFor(body)).toBeNull();
});

it.for(models)('%s accepts only an https webhook_url', (model) => {
  for (const url of webhooks) expect(parseBody(mediaBody(model, { webhook_url: url })).webhookUrl).toBe(url);
  for (const url of [...noUrl, ...noWebhook])
    expect(refusedFor(mediaBody(model, { webhook_url: url }))).toBe('webhook_url');
  expect(parseBody(mediaBody(model, { webhook_url: null })).webhookUrl).toBeNull();
  expect(parseBody(mediaBody(model)).webhookUrl).toBeNull();
});

it.for(models)('%s rejects an unknown field, whatever its value', (model) => {
  for (const value of [null, 0, '', {}])
    expect(refusedFor(mediaBody(model, { colour: value }))).toBe('colour');
});

it('reports the first error in the document', () => {
  const faults = { n: 9, size: 'big', colour: 'red' };
  expect(refusedFor({ model: 'alpha-image-2', prompt: 5, ...faults })).toBe('prompt');
  expect(refusedFor({ colour: 'red', model: 'alpha-image-2', prompt: 5, n: 9 })).toBe('colour');
  expect(refusedFor({ model: 'alpha-image-2', size: 'big', n: 9, prompt: 'x' })).toBe('size');
  expect(refusedFor({ model: 'alpha-image-2', n: 9 })).toBe('n');
});

it('lists the given fields, and does not forward gateway fields to the upstream', () => {
  const { given, fields, webhookUrl } = parseBody(
    mediaBody('alpha-image-2', { n: null, quality: 'low', webhook_url: urls[0] }),
  );
  expect([...given].toSorted()).toEqual(['model', 'prompt', 'quality', 'webhook_url']);
  expect(fields).toEqual({
    prompt: 'a quiet sea',
    size: '1024x1024',
    quality: 'low',
    n: 1,
    response_format: 'url',
  });
  expect(webhookUrl).toBe(urls[0]);
});

it('accepts n: 1 for images of a model without n, and does not forward it', () => {
  const images = [...mediaModels.values()].filter(({ served }) => served === 'images');
  const listing = images.filter(({ id }) => 'n' in parseBody(mediaBody(id)).fields);
  expect(listing.map(({ id }) => id)).toEqual(['alpha-image-2', 'gamma-3-pro-image']);
  for (const { id } of images.filter((model) => !listing.includes(model))) {
    expect(parseBody(mediaBody(id, { n: 1 })).fields).not.toHaveProperty('n');
    for (const n of [0, 2, '1', true]) expect(refusedFor(mediaBody(id, { n }))).toBe('n');
  }
  expect(refusedFor(mediaBody('vidB2', { n: 1 }))).toBe('n');
});

it('accepts private addresses only on a test gateway', () => {
  const body = mediaBody('edit-image', { image_url: 'https://127.0.0.1:8443/sea.png' });
  expect(refusedFor(body)).toBe('image_url');
  expect(parseBody(body, true).fields.image_url).toBe('https://127.0.0.1:8443/sea.png');
});

it('accepts webhooks to private addresses only on the list of a test gateway', () => {
  const listed = mediaBody('vidB2', { webhook_url: 'https://127.0.0.1:8443/' });
  expect(refusedFor(listed)).toBe('webhook_url');
  expect(parseBody(listed, true).webhookUrl).toBe('https://127.0.0.1:8443/');
  const other = mediaBody('vidB2', { webhook_url: 'https://127.0.0.1:9443/' });
  expect(() => parseBody(other, true)).toThrow('webhook_url must be a URL that anyone can reach.');
});

/** Every field that names a URL, with a model that has it. */
const urlFields: readonly (readonly [
  field: string,
  body: (url: string) => Readonly<Record<string, unknown>>,
])[] = [
  ['webhook_url', (url) => mediaBody('vidB2', { webhook_url: url })],
  ['reference_image_url', (url) => mediaBody('kontext-max', { reference_image_url: url })],
  ['reference_images[1]', (url) => mediaBody('motion-gen4-image', { reference_images: [urls[0], url] })],
  ['image_url', (url) => mediaBody('edit-image', { image_url: url })],
  ['image', (url) => mediaBody('vidA-3.1-fast', { image: url })],
  ['video_url', (url) => mediaBody('motion-aleph', { video_url: url })],
  ['audio_url', (url) => mediaBody('vidC-avatar-std', { audio_url: url })],
  ['audio_url', (url) => ({ model: 'song-v5', action: 'upload-extend', audio_url: url })],
  ['driver_audio_url', (url) => mediaBody('talk-audio', { driver_audio_url: url })],
  ['driver_image_url', (url) => mediaBody('talk-audio', { driver_image_url: url })],
  ['driver_video_url', (url) => mediaBody('motion-act-two', { driver_video_url: url })],
  ['character_video_url', (url) => mediaBody('motion-act-two', { character_video_url: url })],
];

it.for(urlFields)(
  'rejects in %s every spelling of a private address, and accepts addresses that only look private',
  ([field, body]) => {
    for (const spelling of privateSpellings) {
      const url = spelling.replace('{port}', '8443');
      expect([url, refusedFor(body(url))]).toEqual([url, field]);
    }
    for (const url of harmlessSpellings) expect([url, refusedFor(body(url))]).toEqual([url, null]);
  },
);
