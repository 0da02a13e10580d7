import { beforeEach, describe, expect, it } from 'vitest';
import type { FakeUpstream } from '../../testing/fake-upstream.ts';
import { json } from '../../testing/fake-upstream.ts';
import { ask, askGenerate } from '../../testing/generate-content-caller.ts';
import { generated, generateError } from '../../testing/generate-content-upstream.ts';
import { type TestGateway, testKey } from '../../testing/test-gateway.ts';
import { twoEndsEachFile } from '../../testing/two-ends.ts';
import { rawExchange, read } from '../../testing/wire.ts';

let upstream: FakeUpstream;
let gateway: TestGateway;
twoEndsEachFile((ends) => {
  ({ upstream, gateway } = ends);
});
beforeEach(() => {
  upstream.queue.length = 0;
  upstream.fallback = generated(['Hello']);
});

const plain = 'gamma-3-flash:generateContent';
const generatePath = `/compat-b/v1beta/models/${plain}`;
const post = (path: string, headers: Record<string, string> = {}) =>
  read(`${gateway.url}${path}`, { method: 'POST', body: ask, headers });

describe('the path of compat path B', () => {
  it.for(['', '?alt=json', '?alt=', '?alt=sse&alt=json'])(
    'streams only as events, not for "%s"',
    async (query) => {
      const answer = await askGenerate(gateway, `gamma-3-flash:streamGenerateContent${query}`);
      expect(answer).toMatchObject({ status: 400, json: { error: { code: 'invalid_param', param: 'alt' } } });
    },
  );

  it('does not care for alt where nothing is streamed', async () => {
    expect((await askGenerate(gateway, `${plain}?alt=sse`)).json.modelVersion).toBe('gamma-3-flash');
  });
});

describe('the credential of compat path B', () => {
  it.for<[string, string, Record<string, string>]>([
    ['in the query', `?key=${testKey}`, {}],
    ['in the header of the official client', '', { 'x-goog-api-key': testKey }],
    ['in the query before the header', `?key=${testKey}`, { 'x-goog-api-key': 'sk-app-other' }],
  ])('may stand %s', async ([, query, headers]) => {
    expect((await post(generatePath + query, headers)).status).toBe(200);
  });

  it.for<[string, string, Record<string, string>]>([
    ['nowhere', '', {}],
    ['as a bearer token', '', { authorization: `Bearer ${testKey}` }],
    ['in the header of the other path', '', { 'x-api-key': testKey }],
    ['twice in the query', `?key=${testKey}&key=${testKey}`, {}],
    ['empty in the query', '?key=', { 'x-goog-api-key': testKey }],
  ])('counts for nothing %s', async ([, query, headers]) => {
    expect(await post(generatePath + query, headers)).toMatchObject({
      status: 401,
      json: { error: { code: 'invalid_api_key', type: 'auth_error', status: 'UNAUTHENTICATED' } },
    });
    expect(upstream.seen).toHaveLength(0);
  });

  it('in the query is in no log line, record or answer', async () => {
    const answers = [
      await post(`${generatePath}?key=${testKey}`),
      await post(`${generatePath}?key=${testKey}&key=${testKey}`),
      await post(`/compat-b/v1beta/nowhere?key=${testKey}`),
      await post(`/compat-b/v1beta/models/gamma-3-flash:odd?key=${testKey}`),
      await post(`/api/v1/chat/completions?key=${testKey}`),
      await read(`${gateway.url}${generatePath}?key=${testKey}`),
      await askGenerate(gateway, 'odd:generateContent'),
      await askGenerate(gateway, plain, 'no json'),
      await askGenerate(gateway, plain, {}),
    ];
    gateway.onWrite = () => Promise.reject(new Error('no disk'));
    answers.push(await askGenerate(gateway, plain));
    upstream.fallback = json(500, generateError(500, 'INTERNAL', testKey));
    gateway.onWrite = async (record) => void gateway.records.push(record);
    answers.push(await askGenerate(gateway, plain));
    const broken = [
      `POST ${generatePath}?key=${testKey} HTTP/1.1\r\n\r\n`,
      `POST ${generatePath}?key=${testKey} HTTP/3.7\r\nHost: x\r\n\r\n`,
      `POST ${generatePath}?key=${testKey}&%zz HTTP/1.1\r\nHost: x\r\nContent-Length: x\r\n\r\n`,
      `GET ${generatePath}?key=${testKey}\r\n\r\n`,
    ];
    const raw = await Promise.all(broken.map((bytes) => rawExchange(gateway.port, bytes)));
    expect(answers.map(({ status }) => status)).toEqual([
      200, 401, 404, 404, 401, 405, 404, 400, 400, 500, 502,
    ]);
    const records = gateway.records.map((record) => Object.values(record).map(String));
    const shown = JSON.stringify([answers, raw, records, gateway.logLines, upstream.seen]);
    expect(shown).not.toContain(testKey);
    expect(gateway.logLines.length).toBeGreaterThanOrEqual(answers.length);
  });
});

describe('checks before the upstream on compat path B', () => {
  const video = { inlineData: { mimeType: 'video/mp4', data: 'AAAA' } };
  const odd = { fileData: { mimeType: 'audio/ogg', fileUri: 'https://example.org/files/1' } };

  it.for<[string, object, string]>([
    ['contents[0].parts[1]', video, 'gamma-3-flash'],
    ['contents[0].parts[1]', odd, 'gamma-3-flash'],
  ])('refuse media that the model does not take at %s', async ([param, part, model]) => {
    const contents = [{ parts: [{ text: 'look' }, part] }];
    expect(await askGenerate(gateway, `${model}:generateContent`, { contents })).toMatchObject({
      status: 400,
      json: { error: { code: 'unsupported_capability', param } },
    });
    expect(upstream.seen).toHaveLength(0);
    expect((await askGenerate(gateway, 'gamma-3-pro:generateContent', { contents })).status).toBe(200);
    expect(upstream.seen[0]?.body).toEqual({ contents });
  });

  it.for([
    ['* GenerateContentRequest.generation_config.top_p: x', 'generation_config.topP'],
    ['* GenerateContentRequest.generation_config.top_k: x', null],
  ] as const)('leave the rest to the upstream, whose "%s" is invalid_param', async ([text, param]) => {
    upstream.queue.push(json(400, generateError(400, 'INVALID_ARGUMENT', text)));
    const body = { ...ask, generation_config: { topP: 1, top_k: 0 } };
    expect(await askGenerate(gateway, plain, body)).toMatchObject({
      status: 400,
      json: { error: { code: 'invalid_param', param, channel: 'ch-gamma', status: 'INVALID_ARGUMENT' } },
    });
    expect(upstream.seen).toHaveLength(1);
  });

  it.for(['systemInstruction', 'system_instruction'])(
    'are told that the upstream refused %s, and not the contents',
    async (name) => {
      upstream.queue.push(
        json(400, generateError(400, 'INVALID_ARGUMENT', '* GenerateContentRequest.system_instruction: x')),
      );
      expect(await askGenerate(gateway, plain, { ...ask, [name]: { parts: [] } })).toMatchObject({
        status: 400,
        json: { error: { code: 'invalid_param', param: name, channel: 'ch-gamma' } },
      });
    },
  );
});
