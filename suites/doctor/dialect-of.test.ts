import { expect, it } from 'vitest';
import { chatCatalogue, otherModels } from '../oracle/chat-catalogue.ts';
import { minimalProfile } from '../profile/load-profile.ts';
import { dialectOf } from './dialect-of.ts';
import { guessedRoles } from './guess-roles.ts';
import { lookAtInterface } from './look-at-interface.ts';
import { type Answer, answering, serveAnswers } from './testing/answering.ts';

/** A gateway with a path prefix, its own models, and a key in a header. */
function served(
  prefix: string,
  header: string,
  refusal: (body: string) => Answer,
  lists = true,
): Promise<string> {
  return serveAnswers(
    (request, body) => {
      const hasKey = String(request.headers[header]).includes('sk-right');
      if (!request.url?.startsWith(`${prefix}/`)) return { status: 404, body: { detail: 'Not Found' } };
      if (!hasKey)
        return { status: 403, body: { detail: { error: { message: 'Who?', type: 'denied', code: 7 } } } };
      if (lists && request.url === `${prefix}/models`)
        return { status: 200, body: { data: [{ id: 'acme-claude' }, { id: 'acme-1' }] } };
      if (request.url !== `${prefix}/chat/completions`) return { status: 404, body: { detail: 'Not Found' } };
      return refusal(body);
    },
    { 'x-litellm-version': '1' },
  );
}

const alike = (body: string): Answer =>
  body.includes('zz-no')
    ? { status: 422, body: { error: { message: 'No.', type: 'missing', code: 'no_model' } } }
    : { status: 400, body: { error: { message: 'No.', type: 'invalid_request_error', code: null } } };

it.each(['', '/v1', '/openai/v1/'])(
  'describes a gateway from a few free requests, given its URL with %j appended',
  async (tail) => {
    const prefix = tail === '' ? '/v1' : tail.replace(/\/$/, '');
    const origin = await served(prefix, 'authorization', alike);
    const seen = await lookAtInterface(minimalProfile(origin + tail, 'sk-right'));
    expect(seen).toMatchObject({ baseUrl: origin, prefix, keyPlace: 'authorization' });
    expect(seen?.requests).toBeLessThanOrEqual(15);
    const { sections } = seen === null ? { sections: {} } : dialectOf(seen);
    expect(sections).toEqual({
      dialect: {
        extends: 'litellm',
        routes: { '/api/v1': prefix },
        keys: { prefix: null },
        models: { 'acme-claude': { like: 'beta-large-4-5' }, 'acme-1': { like: 'delta-3' } },
        errors: {
          also: [
            { object: 'detail.error', members: { channel: null } },
            {
              object: null,
              members: { message: 'detail', type: null, code: null, param: null, channel: null },
            },
          ],
          codes: {
            model_not_found: { status: 422, type: 'missing', code: 'no_model' },
            invalid_api_key: { status: 403, type: 'denied', code: 7 },
          },
        },
      },
      absent: ['images', 'tasks', 'webhooks', 'compat.a', 'compat.b', 'admin.routes'],
    });
  },
);

it('a missing key may be refused by another status than a wrong one', async () => {
  const detail = (status: number, text: unknown) => ({ status, body: { detail: text } });
  const origin = await answering({
    '/v1/models': () => ({ status: 200, body: { data: [{ id: 'own-1' }] } }),
    '/v1/chat/completions': (body, _, isKeyless) => {
      if (isKeyless) return detail(403, 'Not authenticated');
      return body.includes('own-1') && !body.includes('none')
        ? detail(401, 'No.')
        : detail(422, [{ msg: 'No.' }]);
    },
  });
  const seen = await lookAtInterface(minimalProfile(origin, 'sk-right'));
  expect(seen === null ? null : dialectOf(seen).sections.dialect).toMatchObject({
    errors: { codes: { invalid_api_key: [{ status: 401 }, { status: 403 }] } },
  });
});

it('detects a gateway without a model list by its refusal of an empty chat, and uses the named models', async () => {
  const origin = await served('/v1', 'authorization', alike, false);
  const seen = await lookAtInterface(minimalProfile(origin, 'sk-right'), ['acme-gpt']);
  expect(seen).toMatchObject({ prefix: '/v1', models: ['acme-gpt'] });
  expect(seen?.requests).toBeLessThanOrEqual(15);
});

it.each(['', '/anthropic'])(
  'describes a gateway that speaks messages alone, given its URL with %j',
  async (tail) => {
    const said = (status: number, type: string) => ({ status, body: { error: { type, message: 'No.' } } });
    const origin = await answering({
      '/anthropic/v1/models': (_, key) =>
        key === 'sk-right' ? { status: 200, body: { data: [{ id: 'own-1' }] } } : said(401, 'no_key'),
      '/anthropic/v1/messages': (body, key) => {
        if (key !== 'sk-right') return said(401, 'authentication_error');
        return body.includes('zz-no') ? said(404, 'not_found_error') : said(400, 'invalid_request_error');
      },
      '/v1/models': () => said(401, 'no_key'),
    });
    const seen = await lookAtInterface(minimalProfile(origin + tail, 'sk-right'));
    expect(seen?.requests).toBeLessThanOrEqual(15);
    const prefix = tail === '' ? '/anthropic/v1' : '/v1';
    expect(seen === null ? null : dialectOf(seen).sections).toMatchObject({
      dialect: {
        extends: 'anthropic',
        routes: { '/api/v1': prefix, '/compat-a/v1': prefix },
        keys: { core: { header: 'x-api-key' } },
        models: { 'own-1': { like: 'beta-large-4-5' } },
        errors: { members: { code: null, param: null } },
      },
      absent: expect.arrayContaining(['chat', 'images', 'tasks', 'webhooks', 'compat.b']),
    });
  },
);

it.each(['', '/v1beta'])('describes a gateway that speaks generate-content alone, given %j', async (tail) => {
  const said = (code: number, message: string) => ({
    status: code,
    body: { error: { code, message, status: 'X' } },
  });
  const kept = (answer: (body: string) => Answer) => (body: string, key: string) =>
    key === 'sk-right' ? answer(body) : said(400, 'API key not valid.');
  const origin = await answering({
    '/v1/chat/completions': kept(() => said(404, 'No.')),
    '/v1beta/models': kept(() => ({
      status: 200,
      body: { models: [{ name: 'models/own-1', displayName: 'One' }] },
    })),
    '/v1beta/models/own-1:generateContent': kept(() => said(400, 'contents: wrong')),
  });
  const seen = await lookAtInterface(minimalProfile(origin + tail, 'sk-right'));
  expect(seen?.requests).toBeLessThanOrEqual(15);
  expect(seen === null ? null : dialectOf(seen).sections).toMatchObject({
    dialect: {
      extends: 'gemini',
      routes: { '/api/v1': '/v1beta', '/compat-b/v1beta': '/v1beta' },
      keys: { core: { header: 'x-goog-api-key' } },
      models: { 'own-1': { like: 'gamma-3-pro' } },
      errors: { codes: { invalid_api_key: { status: 400, message: 'API key' } } },
    },
    absent: ['chat', 'images', 'tasks', 'webhooks', 'compat.a', 'admin.routes'],
  });
});

it('takes the key in the query, the windows of a list, and an address with an endpoint', async () => {
  const invalid = { status: 400, body: { error: { code: 400, message: 'API key not valid.', status: 'X' } } };
  const models = [{ name: 'models/own-1', displayName: 'One', inputTokenLimit: 128_000 }];
  const wrong = { status: 400, body: { error: { code: 400, message: 'contents', status: 'INVALID' } } };
  const origin = await answering({
    '/v1beta/models': () => invalid,
    '/v1beta/models?key=sk-right': () => ({ status: 200, body: { models } }),
    '/v1beta/models/own-1:generateContent': () => invalid,
    '/v1beta/models/own-1:generateContent?key=sk-app-none': () => invalid,
    '/v1beta/models/own-1:generateContent?key=sk-right': () => wrong,
  });
  const url = `${origin}/v1beta/models/own-1:generateContent`;
  const seen = await lookAtInterface(minimalProfile(url, 'sk-right'));
  expect(seen?.baseUrl).toBe(origin);
  expect(seen === null ? null : dialectOf(seen).sections.dialect).toMatchObject({
    keys: { core: { query: 'key' }, 'compat-b': { query: 'key' } },
    models: { 'own-1': { like: 'gamma-3-pro', context: 128_000 } },
    errors: { members: { code: 'status' }, codes: { invalid_api_key: { status: 400, message: 'API key' } } },
  });
});

it('leaves out models of other kinds by their names, and describes where videos are tasks', async () => {
  const refusal = { status: 404, body: { error: { message: 'No such model.', type: 'x', code: null } } };
  const ids = ['own-1', 'text-embedding-4', 'clip-5s'].map((id) => ({ id }));
  const origin = await answering({
    '/v1/models': () => ({ status: 200, body: { data: ids } }),
    '/v1/chat/completions': () => refusal,
    '/v1/videos': () => refusal,
  });
  const seen = await lookAtInterface(minimalProfile(origin, 'sk-right'));
  expect(seen?.requests).toBeLessThanOrEqual(15);
  const found = seen === null ? null : dialectOf(seen);
  expect(found?.sections.dialect).toMatchObject({
    models: { 'own-1': { like: 'delta-3' }, 'clip-5s': { like: 'vidC-v25-t2v-pro' } },
    tasks: { submit: '/v1/videos', read: '/v1/videos/{id}', states: { RUNNING: expect.anything() } },
    fields: { tasks: { answer: { task_id: 'id' }, texts: ['duration', 'duration_sec'] } },
  });
  expect(found?.sections.absent).not.toContain('tasks');
  expect(found?.why.join()).toContain('left out, because of their names: text-embedding-4');
  const all = await lookAtInterface(minimalProfile(origin, 'sk-right'), ['text-embedding-4']);
  expect(Object.keys((all && (dialectOf(all).sections.dialect as { models: object }).models) ?? {})).toEqual([
    'text-embedding-4',
  ]);
});

it('declares the limit of calls that an answer names, and waits for it', async () => {
  let calls = 0;
  const limited = { status: 429, body: { detail: '20 requests per minute' } };
  const origin = await answering({
    '/v1/models': () => (++calls === 1 ? limited : { status: 200, body: { data: [{ id: 'own-1' }] } }),
    '/v1/chat/completions': () => ({ status: 400, body: { detail: 'No.' } }),
  });
  const seen = await lookAtInterface(minimalProfile(origin, 'sk-right'));
  expect(seen === null ? null : dialectOf(seen).sections.http).toEqual({ calls_per_minute: 20 });
});

it('writes the routes also where they are those of the specification, because its dialect has others', async () => {
  const seen = await lookAtInterface(
    minimalProfile(await served('/api/v1', 'authorization', alike), 'sk-right'),
  );
  expect(seen === null ? null : dialectOf(seen).sections).toMatchObject({
    dialect: { extends: 'litellm', routes: { '/api/v1': '/api/v1' } },
  });
});

it('a route that has not found the model is there', async () => {
  const detail = (status: number, text: string) => () => ({ status, body: { detail: text } });
  const origin = await answering({
    '/v1/models': () => ({ status: 200, body: { data: [{ id: 'own-1' }] } }),
    '/v1/chat/completions': detail(400, 'No.'),
    '/v1/images/generations': detail(405, 'Method Not Allowed'),
    '/v1/messages': (_, key) => ({
      status: key === 'sk-right' ? 401 : 404,
      body: { detail: { type: 'none', message: 'model is not found' } },
    }),
  });
  const seen = await lookAtInterface(minimalProfile(origin, 'sk-right'));
  expect(seen === null ? null : dialectOf(seen).sections.dialect).toMatchObject({
    extends: 'openai',
    errors: { also: [{ object: 'detail' }, { object: null }] },
  });
  expect(seen?.offers).toEqual({ 'compat-a': '/v1/messages', images: null, tasks: null });
  expect(seen?.sharesKeyHeader).toBe(true);
});

it('detects the header for the key, and ignores a server without a list', async () => {
  const origin = await served('/api/v1', 'x-api-key', alike);
  const seen = await lookAtInterface(minimalProfile(origin, 'sk-right'));
  expect(seen?.keyPlace).toBe('x-api-key');
  expect(await lookAtInterface(minimalProfile(`${origin}/elsewhere`, 'sk-right'))).toBeNull();
});

it('a catalogue model plays its own role, and another model plays a free one', () => {
  expect(guessedRoles(['delta-3', 'plain-1', 'dream-4-0'])).toEqual([
    ['delta-3', 'delta-3'],
    ['plain-1', 'alpha-codex'],
    ['dream-4-0', 'dream-4-0'],
  ]);
  expect(guessedRoles([...chatCatalogue.map(({ id }) => id), ...otherModels])).toEqual([]);
});
