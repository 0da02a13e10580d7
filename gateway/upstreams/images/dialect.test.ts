import { beforeEach, expect, it } from 'vitest';
import { type FakeUpstream, json } from '../../testing/fake-upstream.ts';
import { askedUpstreamOfFile } from '../../testing/media-client.ts';
import type { UpstreamClient } from '../client.ts';
import { askImages } from './dialect.ts';

let upstream: FakeUpstream;
let client: UpstreamClient;
askedUpstreamOfFile((ends) => {
  ({ upstream, client } = ends);
});
beforeEach(() => {
  upstream.seen.length = 0;
});

const gone = new AbortController().signal;
const ask = (count = 1) =>
  askImages(client, {
    baseUrl: `${upstream.url}/v1`,
    apiKey: 'upstream-key',
    gone,
    isFresh: true,
    body: '{"model":"m"}',
    count,
    fieldOf: (path) => (path === 'ratio' ? 'aspect_ratio' : null),
    largest: 'prompt',
  });
const answered = async (body: unknown, count = 1) => {
  upstream.fallback = json(200, body);
  return await ask(count);
};
const link = (name: string) => ({ url: `https://files.example.com/${name}.png` });

it('returns images as links or as bytes, with the prompt used', async () => {
  const base64 = Buffer.from('bytes').toString('base64');
  const data = [link('a'), { base64, revised_prompt: 'a calm sea' }];
  expect(await answered({ created: 1, data }, 2)).toEqual({
    kind: 'images',
    images: [
      { kind: 'link', ...link('a'), revisedPrompt: null },
      { kind: 'bytes', bytes: Buffer.from('bytes'), revisedPrompt: 'a calm sea' },
    ],
  });
  expect(upstream.seen[0]).toMatchObject({
    path: '/v1/images/generations',
    headers: { authorization: 'Bearer upstream-key' },
    body: { model: 'm' },
  });
});

const encoded = Buffer.from('bytes').toString('base64');
it.for([
  ['a prefix of a data URI', { data: [{ b64_json: `data:image/png;base64,${encoded}` }] }],
  ['a link that is the image', { data: [{ url: `data:image/webp;base64,${encoded}` }] }],
  ['an empty link beside it', { data: [{ url: '', b64_json: encoded }] }],
  ['no list', { data: { b64_json: encoded } }],
  ['a link in a link', { images: [{ image_url: { url: `data:image/png;base64,${encoded}` } }] }],
  ['another name of the bytes', { data: [{ image_base64: encoded }] }],
  ['the name of a pipeline', { artifacts: [{ base64: encoded, finishReason: 'SUCCESS' }] }],
  ['another name of the list', { images: [{ b64_json: encoded, url: null }] }],
  ['a wrapped list of bytes', { data: { image_base64: [encoded] }, base_resp: { status_code: 0 } }],
  ['a list of predictions', { predictions: [{ bytesBase64Encoded: encoded, mimeType: 'image/png' }] }],
  ['an empty error beside it', { error: {}, data: [{ b64_json: encoded }] }],
] as const)('reads an image with %s', async ([, body]) => {
  const images = [{ kind: 'bytes', bytes: Buffer.from('bytes'), revisedPrompt: null }];
  expect(await answered(body)).toEqual({ kind: 'images', images });
});

it('reads a list of plain links', async () => {
  const { url } = link('a');
  expect(await answered({ data: [url] })).toMatchObject({ images: [{ kind: 'link', url }] });
  for (const body of [
    { output: [url] },
    { data: { image_urls: [url] } },
    { output: { results: [{ url }] } },
    { status: 'Ready', result: { sample: url } },
  ])
    expect(await answered(body)).toMatchObject({ images: [{ kind: 'link', url }] });
  const own = { images: [{ kind: 'link', url: `${upstream.url}/files/a.png` }] };
  expect(await answered({ data: [{ url: '/files/a.png' }] })).toMatchObject(own);
});

it('drops images beyond the requested number', async () => {
  expect(await answered({ data: [link('a'), link('b')] })).toMatchObject({
    images: [link('a')],
  });
});

it.for([
  { artifacts: [{ base64: encoded, finishReason: 'CONTENT_FILTERED', seed: 1 }] },
  { images: [link('black')], has_nsfw_concepts: [true] },
  { data: [{ ...link('a'), nsfw_content_detected: true }] },
])('takes an image that its filter has blurred for none: %j', async (body) => {
  expect(await answered(body)).toMatchObject({ kind: 'failure', reason: 'policy' });
});

it('takes the images beside a filtered one', async () => {
  const body = { images: [link('black'), link('a')], has_nsfw_concepts: [true, false] };
  expect(await answered(body)).toMatchObject({ images: [link('a')] });
});

it.for([
  [{ data: [link('a'), link('b')] }, 'refused'],
  [{ data: [] }, 'refused'],
  [{ data: [link('a'), null, null, null] }, 'refused'],
  [{ data: [link('a'), link('b'), {}, { url: 'nowhere' }] }, 'unusable'],
  [{ data: [], filtered: { count: 4, code: 'content_policy_violation' } }, 'policy'],
  [{ data: [link('a')], filtered: { count: 3, code: 'content_policy_violation' } }, 'policy'],
  [{ data: [link('a'), { error: { code: 'content_policy_violation' } }] }, 'policy'],
  [{ artifacts: [{ base64: '', finishReason: 'CONTENT_FILTERED' }] }, 'policy'],
  [{ predictions: [{ raiFilteredReason: 'All images were filtered out.' }] }, 'policy'],
  [{ status: 'failed', output: null, error: 'NSFW content detected.' }, 'policy'],
] as const)('takes fewer for none: %j (M12)', async ([body, reason]) => {
  expect(await answered(body, 4)).toMatchObject({ kind: 'failure', reason });
});

it.for([
  [200, '', 'unusable'],
  [200, '<html>', 'unusable'],
  [200, '{"data":', 'unusable'],
  [200, {}, 'unusable'],
  [200, { data: null }, 'unusable'],
  [200, { code: 531, msg: 'RAW' }, 'server'],
  [200, { error: { code: 'content_policy_violation' } }, 'policy'],
  [200, { error: { code: 'rate_limit_exceeded' }, data: [] }, 'busy'],
  [400, { error: { code: 'moderation_blocked' } }, 'policy'],
  [401, { error: {} }, 'credentials'],
  [402, { error: {} }, 'credentials'],
  [404, { error: {} }, 'credentials'],
  [408, { error: {} }, 'timeout'],
  [429, { error: { code: 'slow_down' } }, 'busy'],
  [429, { error: { code: 'insufficient_quota' } }, 'exhausted'],
  [500, { error: { type: 'server_error' } }, 'server'],
  [502, '<html>RAW</html>', 'server'],
  [503, { error: {} }, 'busy'],
  [307, '', 'unusable'],
] as const)('classifies a %i with %j as %s', async ([status, body, reason]) => {
  upstream.fallback = json(status, body, status === 307 ? { location: 'http://127.0.0.1:1/' } : {});
  expect(await ask()).toMatchObject({ kind: 'failure', reason, status });
  expect(upstream.seen).toHaveLength(1);
});

it("names the rejected field by the gateway's name", async () => {
  upstream.fallback = json(400, { error: { param: 'ratio' } });
  expect(await ask()).toMatchObject({ reason: 'bad_request', param: 'aspect_ratio' });
  upstream.fallback = json(413, '<html>');
  expect(await ask()).toMatchObject({ reason: 'bad_request', param: 'prompt' });
});
