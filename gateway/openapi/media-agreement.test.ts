import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { mediaModels } from '../catalogue/media-models.ts';
import { expectAgreement } from '../testing/document-agreement.ts';
import { type FakeUpstream, json, startFakeUpstream } from '../testing/fake-upstream.ts';
import { fits } from '../testing/json-schema.ts';
import { mediaBodies, mediaBody } from '../testing/media-bodies.ts';
import { pngOf } from '../testing/native-media.ts';
import { startTestGateway, type TestGateway, testConfig, testKey } from '../testing/test-gateway.ts';
import { read } from '../testing/wire.ts';

// biome-ignore lint/suspicious/noExplicitAny: the tests look at arbitrary members of the document.
type Json = any;

let upstream: FakeUpstream;
let gateway: TestGateway;
let document: Json;
beforeAll(async () => {
  upstream = await startFakeUpstream();
  upstream.fallback = json(200, { data: Array(4).fill({ base64: pngOf(8, 8).toString('base64') }) });
  gateway = await startTestGateway(testConfig(upstream.url));
  document = (await read(`${gateway.url}/api/v1/openapi.json`, { key: testKey })).json;
});
afterAll(async () => {
  await gateway.close();
  await upstream.close();
});

const named = (name: string): Json => ({ $ref: `#/components/schemas/${name}` });

/** Sends a body to the path of its model. Compares the body and the answer with the document. */
async function agree(body: Readonly<Record<string, unknown>>): Promise<boolean> {
  const isImage = mediaModels.get(String(body.model))?.served === 'images';
  const path = isImage ? '/api/v1/images/generations' : '/api/v1/tasks';
  const { requestBody, responses } = document.paths[path].post;
  const answer = await (isImage ? gateway.images(body) : gateway.submit(body));
  const { schema } = responses[answer.status].content['application/json'];
  expect([answer.json, fits(schema, answer.json, document)]).toEqual([answer.json, true]);
  return expectAgreement(document, requestBody.content['application/json'].schema, body, answer);
}

describe('the paths of images and tasks', () => {
  it.for([...mediaBodies.keys()])('take %s as the document says', async (model) => {
    expect(await agree(mediaBody(model))).toBe(true);
    expect(await agree({ model })).toBe(false);
    expect(await agree(mediaBody(model, { colour: 'red' }))).toBe(false);
    expect(await agree(mediaBody(model, { webhook_url: 'http://example.com' }))).toBe(false);
    expect(await agree(mediaBody(model, { webhook_url: 'https://example.com' }))).toBe(true);
  });

  it.for<[string, object, boolean]>([
    ['alpha-image-2', { n: 4, size: 'auto', quality: null }, true],
    ['alpha-image-2', { n: 5 }, false],
    ['alpha-image-2', { size: '2K' }, false],
    ['alpha-image-2', { prompt: '\u{1f30a}'.repeat(4000) }, true],
    ['alpha-image-2', { prompt: '\u{1f30a}'.repeat(4001) }, false],
    ['gamma-3-pro-image', { seed: 1.5 }, false],
    ['motion-gen4-image', { reference_images: Array(4).fill('https://example.com/a.png') }, false],
    ['motion-gen4-image', { reference_images: ['https://example.com/a.png'] }, true],
    ['journey-v7', { aspect_ratio: '7:5', chaos: 100 }, true],
    ['journey-v7', { aspect_ratio: 'abc' }, false],
    ['journey-v7', { action: 'zoom' }, false],
    ['journey-v7', { action: 'imagine' }, true],
    ['vidA-3.1-quality', { duration: 8, image: 'data:image/png;base64,AAAA' }, true],
    ['vidA-3.1-quality', { duration: 7 }, false],
    ['vidA-3.1-quality', { image: { task: 'x' } }, false],
    ['vidD-02', { duration: 5 }, false],
    ['voice-v3', { stability: 0, style: 1, use_speaker_boost: false }, true],
    ['voice-v3', { stability: 1.5 }, false],
    ['song-v5', { duration: 29 }, false],
    ['song-v5', { action: 'persona', persona_id: 'p', duration: 240 }, true],
    ['song-v5', { action: 'upload-extend' }, false],
  ])('take and refuse what it says: %s with %j (%s)', async ([model, more, isLegal]) => {
    expect(await agree(mediaBody(model, { ...more }))).toBe(isLegal);
  });

  it('show tasks as the document says, however they ended', async () => {
    const { json: submitted } = await gateway.submit(mediaBody('vidB2'));
    const path = document.paths['/api/v1/tasks/{task_id}'].get;
    const shown = async (id = submitted.task_id): Promise<void> => {
      const answer = await gateway.readTask(id);
      const { schema } = path.responses[answer.status].content['application/json'];
      expect([answer.json, fits(schema, answer.json, document)]).toEqual([answer.json, true]);
    };
    await shown();
    gateway.tasks.end(submitted.task_id, { status: 'SUCCESS', results: [{ file: 'a.mp4' }], durationSec: 5 });
    await shown();
    const error = {
      code: 'upstream_timeout',
      message: 'Too late.',
      param: null,
      channel: 'ch-jobs',
    } as const;
    gateway.tasks.end(submitted.task_id, { status: 'FAILED', error });
    await shown();
    await shown('task_unknown');
  });

  it('list every model of the document', async () => {
    const { json: list } = await read(`${gateway.url}/api/v1/models`, { key: testKey });
    expect(fits(named('ModelList'), list, document)).toBe(true);
    const ids: string[] = list.data.map(({ id }: { id: string }) => id);
    expect(ids).toEqual(expect.arrayContaining([...mediaModels.keys()]));
    expect(ids.filter((id) => id !== 'plain-1')).toHaveLength(40);
  });
});
