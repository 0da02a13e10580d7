import { describe, expect, it } from 'vitest';
import { get, postImages } from '../../testing/post-media.ts';
import { readPng } from '../../testing/read-media.ts';
import { useSimulators } from '../../testing/simulators.ts';

const simulators = useSimulators({ testClock: true });

const base = (): string => simulators.base(simulators.tenant().name, 'pictures');

interface Pictures {
  created: number;
  data: { url?: string; base64?: string; revised_prompt?: string }[];
}

/** The images of an answer, inline or behind links. */
async function picturesOf({ data }: Pictures): Promise<ReturnType<typeof readPng>[]> {
  return Promise.all(
    data.map(async ({ url, base64 }) =>
      readPng(url === undefined ? Buffer.from(base64 ?? '', 'base64') : (await get(url)).bytes),
    ),
  );
}

describe('an answer', () => {
  it('reports the rewritten prompt, unless the request forbids rewriting', async () => {
    const body = { model: 'kx-pro-1', prompt: 'the sea', count: 1 };
    const [rewritten] = (await postImages(base(), body)).json<Pictures>().data;
    expect(rewritten?.revised_prompt).toMatch(/^the sea, .+/);
    const [plain] = (await postImages(base(), { ...body, rewrite_prompt: false })).json<Pictures>().data;
    expect(plain).not.toHaveProperty('revised_prompt');
  });

  it('has the scripted number of images, regardless of the request', async () => {
    const tenant = simulators.tenant();
    await tenant.script({ replies: [{ job: { outputs: 1 } }] });
    const answer = await postImages(simulators.base(tenant.name), {
      model: 'kx-max-1',
      prompt: 'a',
      count: 4,
    });
    expect(answer.json<Pictures>().data).toHaveLength(1);
  });

  it('sends images as scripted, with links that differ only in their query', async () => {
    const tenant = simulators.tenant();
    await tenant.script({ replies: [{ job: { pictures_as: ['base64', 'url'], links_by: 'query' } }] });
    const body = { model: 'kx-max-1', prompt: 'a', count: 3 };
    const { data } = (await postImages(simulators.base(tenant.name), body)).json<Pictures>();
    const links = data.flatMap(({ url }) => url ?? []);
    expect(data.map((one) => 'url' in one)).toEqual([false, true, true]);
    expect(new Set(links.map((url) => new URL(url).pathname)).size).toBe(1);
    const looked = await picturesOf({ created: 0, data });
    expect(new Set(looked.map((one) => JSON.stringify(one))).size).toBe(3);
  });
});

it.each([
  [{ model: 'a2-image-2026-08' }, 512, 512],
  [{ model: 'a2-image-2026-08', size: 'auto' }, 1024, 1024],
  [{ model: 'kx-pro-1', ratio: '21:9' }, 1024, 439],
  [{ model: 'kx-max-1', ratio: '9:16' }, 1152, 2048],
  [{ model: 'mg4-image-1', ratio: '16:9' }, 1920, 1080],
  [{ model: 'mg4-image-1', ratio: '1:1' }, 1080, 1080],
  [{ model: 'mg4-image-1', ratio: '3:4' }, 1080, 1440],
  [{ model: 'dream-4-260801', ratio: '1:1' }, 1024, 1024],
  [{ model: 'dream-4-260801', size: '4K', ratio: '16:9' }, 4096, 2304],
  [{ model: 'edit-1', source_image: 'https://a.example/b.png' }, 1024, 1024],
  [{ model: 'vector-3', style: 'engraving' }, 1024, 1024],
])('%j makes images of %i by %i pixels', async (body, width, height) => {
  const answer = await postImages(base(), { prompt: 'the sea', count: 1, ...body });
  expect(await picturesOf(answer.json<Pictures>())).toEqual([expect.objectContaining({ width, height })]);
});

describe('an error', () => {
  const good = { model: 'g3p-image-2026-09', prompt: 'the sea' };

  it.each([
    [{ ...good, n: 1 }, 'n', 'unknown_parameter'],
    [{ ...good, size: '1024x1024' }, 'size', 'unknown_parameter'],
    [{ model: good.model }, 'prompt', 'missing_required_parameter'],
    [{ prompt: 'the sea' }, 'model', 'missing_required_parameter'],
    [{ model: 'edit-1', prompt: 'the sea' }, 'source_image', 'missing_required_parameter'],
    [{ ...good, count: 5 }, 'count', 'invalid_value'],
    [{ ...good, count: '2' }, 'count', 'invalid_type'],
    [{ ...good, ratio: '5:4' }, 'ratio', 'invalid_value'],
    [{ ...good, seed: null }, 'seed', 'invalid_type'],
    [
      { model: 'mg4-image-1', prompt: 'a', reference_images: ['a.png'] },
      'reference_images[0]',
      'invalid_value',
    ],
  ])('names the invalid member: %j', async (body, param, code) => {
    const answer = await postImages(base(), body);
    expect([answer.status, answer.json()]).toMatchObject([
      400,
      { error: { type: 'invalid_request_error', param, code } },
    ]);
  });

  it('differs for an unknown model, a missing key, a wrong method and an unknown path', async () => {
    const unknown = await postImages(base(), { ...good, model: 'alpha-image-2' });
    expect([unknown.status, unknown.json()]).toMatchObject([404, { error: { code: 'model_not_found' } }]);
    expect((await postImages(base(), good, { authorization: '' })).status).toBe(401);
    expect((await get(`${base()}/images/generations`)).status).toBe(405);
    expect((await get(`${base()}/images/edits`)).status).toBe(404);
  });

  it('has the native body for a scripted status without one', async () => {
    const tenant = simulators.tenant();
    await tenant.script({ replies: [{ status: 429 }] });
    const answer = await postImages(simulators.base(tenant.name), good);
    expect([answer.status, answer.json()]).toMatchObject([429, { error: { code: 'rate_limit_exceeded' } }]);
    expect(answer.headers['retry-after']).toBe('20');
  });
});
