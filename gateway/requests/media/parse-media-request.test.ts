import { expect, it } from 'vitest';
import { MEDIA_MODELS } from '../../catalogue/media-models.ts';
import { MEDIA_BODIES, mediaBody } from '../../testing/media-bodies.ts';
import { NO_URL, parseBody, refusedFor, URLS } from '../../testing/media-fields.ts';

const MODELS = [...MEDIA_MODELS.keys()];

it('knows a request of each of the thirty models', () => {
  expect(MODELS).toHaveLength(30);
  for (const body of MEDIA_BODIES.values()) expect(refusedFor(body)).toBeNull();
});

it.for(MODELS)('%s takes an https webhook_url, and refuses any other', (model) => {
  for (const url of URLS) expect(parseBody(mediaBody(model, { webhook_url: url })).webhookUrl).toBe(url);
  for (const url of NO_URL) expect(refusedFor(mediaBody(model, { webhook_url: url }))).toBe('webhook_url');
  expect(parseBody(mediaBody(model, { webhook_url: null })).webhookUrl).toBeNull();
  expect(parseBody(mediaBody(model)).webhookUrl).toBeNull();
});

it.for(MODELS)('%s names an unknown field, whatever its value', (model) => {
  for (const value of [null, 0, '', {}])
    expect(refusedFor(mediaBody(model, { colour: value }))).toBe('colour');
});

it('names the fault that stands first in the document', () => {
  const faults = { n: 9, size: 'big', colour: 'red' };
  expect(refusedFor({ model: 'alpha-image-2', prompt: 5, ...faults })).toBe('prompt');
  expect(refusedFor({ colour: 'red', model: 'alpha-image-2', prompt: 5, n: 9 })).toBe('colour');
  expect(refusedFor({ model: 'alpha-image-2', size: 'big', n: 9, prompt: 'x' })).toBe('size');
  expect(refusedFor({ model: 'alpha-image-2', n: 9 })).toBe('n');
});

it('knows which fields the caller gave, and keeps our own words out of those for the upstream', () => {
  const { given, fields, webhookUrl } = parseBody(
    mediaBody('alpha-image-2', { n: null, quality: 'low', webhook_url: URLS[0] }),
  );
  expect([...given].toSorted()).toEqual(['model', 'prompt', 'quality', 'webhook_url']);
  expect(fields).toEqual({
    prompt: 'a quiet sea',
    size: '1024x1024',
    quality: 'low',
    n: 1,
    response_format: 'url',
  });
  expect(webhookUrl).toBe(URLS[0]);
});

it('takes private addresses only where a gateway is tested', () => {
  const body = mediaBody('edit-image', { image_url: 'https://127.0.0.1:8443/sea.png' });
  expect(refusedFor(body)).toBe('image_url');
  expect(parseBody(body, true).fields.image_url).toBe('https://127.0.0.1:8443/sea.png');
});
