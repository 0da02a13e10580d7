import { request } from 'undici';
import { describe, expect, it } from 'vitest';
import { type Answer, post } from '../../testing/post.ts';
import { modelUrl, oneContent, postGenerate } from '../../testing/post-generate.ts';
import { useSimulators } from '../../testing/simulators.ts';

const simulators = useSimulators();
const newBase = (): string => simulators.base(simulators.tenant().name, 'gamma');

const body = { contents: oneContent };
const errorShape = (code: number, status: string): object => ({
  error: expect.objectContaining({ code, message: expect.stringMatching(/\S/), status }),
});
const typed = (type: string): string => `type.googleapis.com/google.rpc.${type}`;

async function get(url: string, key = 'sk-upstream'): Promise<{ status: number; json: unknown }> {
  const { statusCode, body: answer } = await request(url, { headers: { 'x-goog-api-key': key } });
  return { status: statusCode, json: await answer.json() };
}

describe('a plain answer', () => {
  it('has the native shape and headers', async () => {
    const answer = await postGenerate(newBase(), {});
    expect(answer.json()).toEqual({
      candidates: [
        { content: { parts: [{ text: expect.any(String) }], role: 'model' }, finishReason: 'STOP', index: 0 },
      ],
      usageMetadata: {
        promptTokenCount: 8,
        candidatesTokenCount: expect.any(Number),
        totalTokenCount: expect.any(Number),
        promptTokensDetails: [{ modality: 'TEXT', tokenCount: 8 }],
      },
      modelVersion: 'g3f-2026-09',
      responseId: expect.stringMatching(/^\w{22}$/),
    });
    expect(answer.headers).toMatchObject({
      'content-type': 'application/json; charset=UTF-8',
      server: 'scaffolding on HTTPServer2',
      'server-timing': expect.stringMatching(/^gfet4t7; dur=\d+$/),
    });
  });
});

describe('the key', () => {
  const ask = (headers: Record<string, string>, query = ''): Promise<Answer> =>
    post(`${modelUrl(newBase(), 'generateContent')}${query}`, body, headers);

  it('may be in its header or in the query', async () => {
    expect((await ask({ 'x-goog-api-key': 'AIza-1_2.3' })).status).toBe(200);
    expect((await ask({}, '?key=AIza-1_2.3')).status).toBe(200);
  });

  it('is rejected if it is missing, before the body is read', async () => {
    const answer = await post(modelUrl(newBase(), 'generateContent', 'none'), 'not json', {});
    expect([answer.status, answer.json()]).toEqual([403, errorShape(403, 'PERMISSION_DENIED')]);
  });

  it('is rejected with a reason if it is malformed', async () => {
    const answer = await ask({ 'x-goog-api-key': 'Bearer sk-1' });
    expect([answer.status, answer.json()]).toEqual([400, errorShape(400, 'INVALID_ARGUMENT')]);
    expect(answer.json()).toMatchObject({
      error: {
        details: [
          { '@type': typed('ErrorInfo'), reason: 'API_KEY_INVALID' },
          { '@type': typed('LocalizedMessage') },
        ],
      },
    });
  });

  it('cannot be a bearer token', async () => {
    const answer = await ask({ authorization: 'Bearer sk-1' });
    expect([answer.status, answer.json()]).toEqual([401, errorShape(401, 'UNAUTHENTICATED')]);
  });
});

describe('an error', () => {
  it('answers a body whose model differs from the URL', async () => {
    expect((await postGenerate(newBase(), { model: 'models/g3p-2026-09' })).status).toBe(400);
    expect((await postGenerate(newBase(), { model: 'models/g3f-2026-09' })).status).toBe(200);
  });

  it('answers an input that exceeds the limit by one token', async () => {
    const ask = (words: number): Promise<Answer> =>
      postGenerate(newBase(), {
        contents: [{ role: 'user', parts: [{ text: 'a '.repeat(words / 2) }] }],
        generationConfig: { maxOutputTokens: 65_536 },
      });
    // A content costs 4 tokens; each letter and the last space are one token each.
    const fits = await ask(2 * (1_000_000 - 5));
    expect([fits.status, fits.json()]).toMatchObject([
      200,
      { usageMetadata: { promptTokenCount: 1_000_000 } },
    ]);
    const over = await ask(2 * (1_000_000 - 4));
    expect([over.status, over.json()]).toEqual([
      400,
      {
        error: {
          code: 400,
          message: 'The input token count (1000001) exceeds the maximum number of tokens allowed (1000000).',
          status: 'INVALID_ARGUMENT',
        },
      },
    ]);
  });

  it.each([
    ['POST', '/models/g3f-2026-09:predict'],
    ['POST', '/models/g3f-2026-09'],
    ['POST', '/models'],
    ['GET', '/models/g3f-2026-09:generateContent'],
    ['GET', '/files'],
  ] as const)('answers %s %s', async (method, path) => {
    const { statusCode, body: answer } = await request(`${newBase()}beta${path}`, { method });
    expect([statusCode, await answer.json()]).toEqual([404, errorShape(404, 'NOT_FOUND')]);
  });
});

describe('a raw reply', () => {
  it.each([
    [400, 'INVALID_ARGUMENT'],
    [401, 'UNAUTHENTICATED'],
    [403, 'PERMISSION_DENIED'],
    [404, 'NOT_FOUND'],
    [418, 'FAILED_PRECONDITION'],
    [429, 'RESOURCE_EXHAUSTED'],
    [500, 'INTERNAL'],
    [502, 'INTERNAL'],
    [503, 'UNAVAILABLE'],
    [504, 'DEADLINE_EXCEEDED'],
  ])('with only status %i is the native error %s', async (code, status) => {
    const tenant = simulators.tenant();
    await tenant.script({ replies: [{ status: code }] });
    const answer = await postGenerate(simulators.base(tenant.name), {});
    expect([answer.status, answer.json()]).toEqual([code, errorShape(code, status)]);
  });

  it('with status 429 states the wait in its details and text, not in a header', async () => {
    const tenant = simulators.tenant();
    await tenant.script({ replies: [{ status: 429 }] });
    const answer = await postGenerate(simulators.base(tenant.name), {}, 'streamGenerateContent');
    expect(answer.json()).toMatchObject([
      {
        error: {
          message: expect.stringContaining('Please retry in 38.922534355s.'),
          details: [
            {
              '@type': typed('QuotaFailure'),
              violations: [
                { quotaId: 'GenerateRequestsPerMinutePerProjectPerModel-FreeTier', quotaValue: '15' },
              ],
            },
            { '@type': typed('RetryInfo'), retryDelay: '38s' },
          ],
        },
      },
    ]);
    expect(Object.keys(answer.headers)).not.toContain('retry-after');
  });
});

describe('counting', () => {
  const count = (given: object | string): Promise<Answer> =>
    post(modelUrl(newBase(), 'countTokens'), given, { 'x-goog-api-key': 'a' });
  const whole = {
    model: 'models/g3f-2026-09',
    ...body,
    systemInstruction: { parts: [{ text: 'Be brief.' }] },
    tools: [{ functionDeclarations: [{ name: 'f' }] }],
  };

  it.each([
    ['nothing', {}],
    ['no contents', { contents: [] }],
    ['contents beside a request', { ...body, generateContentRequest: whole }],
    ['a request that does not name its model', { generateContentRequest: body }],
    ['a request of another model', { generateContentRequest: { ...whole, model: 'models/g3p-2026-09' } }],
    ['members that only a request has', { ...body, tools: [] }],
  ])('is rejected for %s', async (_what, given) => {
    const answer = await count(given);
    expect([answer.status, answer.json()]).toEqual([400, errorShape(400, 'INVALID_ARGUMENT')]);
  });

  it('needs a key', async () => {
    expect((await post(modelUrl(newBase(), 'countTokens'), body, {})).status).toBe(403);
  });

  it('is in the journal, and uses no scripted reply', async () => {
    const tenant = simulators.tenant();
    await tenant.script({ replies: [{ status: 503 }] });
    const base = simulators.base(tenant.name);
    expect((await postGenerate(base, {}, 'countTokens')).status).toBe(200);
    expect((await postGenerate(base, {})).status).toBe(503);
    const { entries } = await tenant.journal({ ended: 2 });
    expect(entries.map(({ reply }) => reply.script === null)).toEqual([true, false]);
  });
});

describe('the models', () => {
  const named = (name: string): object =>
    expect.objectContaining({ name: `models/${name}`, outputTokenLimit: expect.any(Number) });

  it('have a list, in pages on request', async () => {
    const url = `${newBase()}beta/models`;
    expect(await get(url)).toEqual({
      status: 200,
      json: { models: [named('g3p-2026-09'), named('g3f-2026-09')] },
    });
    expect(await get(`${url}?pageSize=1`)).toEqual({
      status: 200,
      json: { models: [named('g3p-2026-09')], nextPageToken: '1' },
    });
    expect((await get(`${url}?pageSize=1&pageToken=1`)).json).toEqual({ models: [named('g3f-2026-09')] });
    expect((await get(`${url}?pageSize=x`)).status).toBe(400);
    expect((await get(url, '')).status).toBe(403);
  });
});
