import { createHmac } from 'node:crypto';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { verifySignature } from '../oracle/webhooks/signature.ts';
import { profileSchema } from '../profile/profile.ts';
import type { CarriedRequest, Translation } from '../profile/translation.ts';
import { inSpecifiedWords } from '../watch/in-words.ts';
import { readAnswer } from '../wire/translate-answer.ts';
import { inDialect } from './in-dialect.ts';
import { chanceDialect, sectionOf } from './testing/relay.ts';

const secret = 'a text that signs';

function profileWith(dialect: object) {
  const keys = { K1: 'sk-app-1' };
  return inDialect(profileSchema.parse({ base_url: 'http://gw/x', keys, webhooks: { secret }, dialect }));
}

function translationWith(dialect: object): Translation {
  const { translation } = profileWith(dialect);
  if (translation === undefined) throw new Error('it has no translation');
  return translation;
}

const asked: readonly [string, string, object | null][] = [
  ['POST', '/api/v1/chat/completions', { model: 'alpha-5-2', max_tokens: 5, stop: ['a'], seed: 1 }],
  ['GET', '/api/v1/models', null],
  ['POST', '/api/v1/tasks', { model: 'song-v5', prompt: 'a' }],
  ['GET', '/api/v1/tasks/task_7?a=1', null],
  ['POST', '/compat-b/v1beta/models/gamma-3-pro:generateContent?key=sk-app-1', { contents: [] }],
];

it("reads a request of a dialect's client as a check would have sent it", () => {
  fc.assert(
    fc.property(chanceDialect, fc.constantFrom(...asked), (dialect, [method, path, members]) => {
      const profile = profileWith(sectionOf(dialect));
      const request: CarriedRequest = {
        ...{ method, path, headers: path.includes('key=') ? [] : [['authorization', 'Bearer sk-app-1']] },
        body: Buffer.from(members === null ? '' : JSON.stringify(members)),
      };
      const sent = profile.translation?.request(request) ?? request;
      const passing = { ...sent, url: `http://elsewhere/x${sent.path}` };
      const seen = inSpecifiedWords(
        { label: '', request: passing, response: null, error: null, sentAt: 0, endedAt: 0 },
        profile,
      );
      expect(seen.request).toMatchObject({ ...request, url: `http://elsewhere/x${path}` });
    }),
    { numRuns: 50 },
  );
});

it('reads fields that have numbers as texts, and errors that name fields as they are called there', async () => {
  const dialect = {
    fields: {
      tasks: {
        request: { duration: 'seconds' },
        answer: { duration_sec: 'seconds' },
        texts: ['duration', 'duration_sec'],
      },
    },
  };
  const translation = translationWith(dialect);
  const ask = (duration: unknown): CarriedRequest => ({
    ...{ method: 'POST', path: '/api/v1/tasks', headers: [] },
    body: Buffer.from(JSON.stringify({ prompt: 'a', duration })),
  });
  for (const [ours, own] of [
    ...[[5, '5'] as const, ['5', 5] as const, [5.5, '5.5'] as const],
    ...[['five', 'five'] as const, [null, null] as const, [true, true] as const, [[5], [5]] as const],
  ]) {
    const sent = translation.request(ask(ours));
    expect(JSON.parse(sent.body.toString())).toEqual({ prompt: 'a', seconds: own });
    expect(translation.specified?.(sent).body).toEqual(ask(ours).body);
  }
  const read = (status: number, body: object): unknown =>
    JSON.parse(
      translation
        .answer({ status, headers: [], body: Buffer.from(JSON.stringify(body)) }, ask(5))
        .body.toString(),
    );
  expect(read(200, { task_id: 't', seconds: '5' })).toEqual({ task_id: 't', duration_sec: 5 });
  expect(read(200, { task_id: 't', seconds: 5 })).toEqual({ task_id: 't', duration_sec: '5' });
  expect(read(400, { error: { param: 'seconds' } })).toEqual({ error: { param: 'duration' } });
  expect(read(400, { error: { param: 'seconds_more' } })).toEqual({ error: { param: 'seconds_more' } });
});

const signing = fc.record({
  algorithm: fc.constantFrom('sha1', 'sha256', 'sha512'),
  encoding: fc.constantFrom('hex' as const, 'base64' as const, 'base64url' as const),
  form: fc.constantFrom(
    '{signature}',
    'v0={signature}',
    'sha256={signature}',
    't={timestamp},v1={signature}',
  ),
  signs: fc.constantFrom('{timestamp}.{body}', 'v0:{timestamp}:{body}', '{body}{timestamp}'),
});

it('verifies only an event that its sender signed, in the specified form', () => {
  fc.assert(
    fc.property(signing, (signature) => {
      const { event: read } = translationWith({
        fields: {
          tasks: { answer: { task_id: 'job.id', result_urls: 'job.out.link', status: 'job.phase' } },
        },
        tasks: { states: { SUCCESS: ['done', 'ok'], FAILED: 'bad' } },
        webhooks: {
          ...{ id: 'x-acme-id', timestamp: 'x-acme-time' },
          signature: { ...signature, header: 'x-acme-mac', secret: 'text' },
        },
      });
      const own = Buffer.from(
        JSON.stringify({ kind: 'end', job: { id: 't1', phase: 'ok', out: { link: 'u' } } }),
      );
      const text = signature.signs.replace('{timestamp}', '1800000000').replace('{body}', own.toString());
      const mac = createHmac(signature.algorithm, secret).update(text).digest(signature.encoding);
      const shown = signature.form.replace('{timestamp}', '1800000000').replace('{signature}', mac);
      const headers = [
        ['X-Acme-Id', 'e1'],
        ['X-Acme-Time', '1800000000'],
        ['X-Acme-Mac', shown],
      ] as const;
      const verdictOf = (body: Buffer) => {
        const event = read?.({ headers, body }) ?? { headers, body };
        return { event, ok: verifySignature(event, [`whsec_${btoa(secret)}`]).ok };
      };
      const { event, ok } = verdictOf(own);
      expect([ok, verdictOf(Buffer.from(`${own} `)).ok]).toEqual([true, false]);
      expect(JSON.parse(event.body.toString())).toEqual({
        ...{ kind: 'end', task_id: 't1', status: 'SUCCESS', result_urls: ['u'] },
      });
      expect(event.headers.find(([name]) => name === 'X-Service-Timestamp')?.[1]).toBe('1800000000');
    }),
  );
});

it('gives errors the shape of their endpoint', () => {
  const codes = { model_not_found: { type: 'not_found' } };
  const { answer } = translationWith({
    errors: { object: 'fault', at: { 'compat-b': { codes }, '/api/v1/images': { object: null, codes } } },
  });
  const codeAt = (path: string, body: object): unknown => {
    const request = { method: 'POST', path, headers: [], body: Buffer.alloc(0) };
    const said = answer({ status: 404, headers: [], body: Buffer.from(JSON.stringify(body)) }, request);
    return JSON.parse(said.body.toString()).error?.code;
  };
  expect([
    codeAt('/api/v1/chat/completions', { fault: { code: 'not_found' } }),
    codeAt('/compat-b/v1beta/models/a:generateContent', { error: { type: 'not_found' } }),
    codeAt('/api/v1/images/generations', { type: 'not_found' }),
  ]).toEqual(['not_found', 'model_not_found', 'model_not_found']);
});

it('a bare key that would be well-formed in a header of its own stays malformed', () => {
  const { request } = translationWith({ keys: { core: { header: 'x-api-key' } } });
  const sent = (value: string) =>
    request({
      method: 'POST',
      path: '/api/v1/models',
      headers: [['Authorization', value]],
      body: Buffer.alloc(0),
    }).headers;
  expect(sent('Bearer sk-1')).toEqual([['x-api-key', 'sk-1']]);
  expect(sent('sk-1')).toEqual([['Authorization', 'sk-1']]);
  expect(sent('Basic sk-1')).toEqual([['x-api-key', 'Basic sk-1']]);
});

it('a key that stands where the dialect has it is misplaced in the specification, and so it goes where nobody looks', () => {
  const sent = (keys: object, path: string, headers: [string, string][]) => {
    const { request } = translationWith({ keys });
    const { path: to, headers: with_ } = request({ method: 'GET', path, headers, body: Buffer.alloc(0) });
    return [to, with_];
  };
  const models = '/api/v1/models';
  const lost = [models, [['x-key-of-no-place', 'sk-1']]];
  const [header, query] = [{ core: { header: 'X-Api-Key' } }, { core: { query: 'key' } }];
  expect(sent(header, models, [['x-api-key', 'sk-1']])).toEqual(lost);
  expect(sent(query, `${models}?key=sk-1`, [])).toEqual(lost);
  expect(sent(query, `${models}?api_key=sk-1`, [])).toEqual([`${models}?api_key=sk-1`, []]);
  expect(sent(header, models, [])).toEqual([models, []]);
});

it('reads a path of administrators that has another prefix there', () => {
  const { specified, request } = translationWith({ routes: { '/api/admin': '/admin/v1' } });
  const asked = { method: 'GET', path: '/admin/v1/keys?limit=1', headers: [], body: Buffer.alloc(0) };
  const read = specified?.(asked);
  expect(read?.path).toBe('/api/admin/keys?limit=1');
  expect(read && request(read).path).toBe(asked.path);
});

it('hides what is said of a member that errors do not have, whatever the aspect is called', () => {
  const { hides } = translationWith({ errors: { members: { param: null } } });
  const request = { method: 'POST', path: '/api/v1/chat/completions', headers: [], body: Buffer.from('{}') };
  const body = Buffer.from('{"error":{"message":"No."}}');
  const answer = { status: 400, headers: [], body };
  const hidden = ['param naming contents', '400 invalid_param'].map((expected) =>
    hides?.({ aspect: 'contents-named', expected, request, answer }),
  );
  expect(hidden).toEqual(['dialect.errors.members.param', null]);
});

it('silences the rule about the status of errors where some have HTTP 200', () => {
  const { silences } = translationWith({ errors: { in_success: true } });
  expect(['ERR-001', 'ERR-002'].map((rule) => silences?.(rule))).toEqual(['dialect.errors.in_success', null]);
  expect(translationWith({ errors: {} }).silences).toBeUndefined();
});

it('hides findings about states that the dialect merges or lacks', () => {
  const { hides } = translationWith({ tasks: { states: { FAILED: 'over', EXPIRED: 'over', QUEUED: null } } });
  const request = { method: 'GET', path: '/api/v1/tasks/t', headers: [], body: Buffer.alloc(0) };
  const hidden = ['EXPIRED', 'QUEUED', 'RUNNING'].map((expected) =>
    hides?.({ aspect: 'a', expected, request, answer: null }),
  );
  expect(hidden).toEqual([
    'dialect.tasks.states: EXPIRED and FAILED are one there',
    'dialect.tasks.states.QUEUED',
    null,
  ]);
});

it('puts the model of a call into its path, takes it from there again, and hides what needs a call without one', () => {
  const route = '/openai/deployments/{model}/chat/completions?api-version=1';
  const path = '/api/v1/chat/completions';
  const { request, specified, hides } = translationWith({
    models: { 'acme/large': 'delta-3' },
    routes: { '/api/v1': '/openai', [path]: route },
  });
  const asked = (body: object): CarriedRequest => ({
    ...{ method: 'POST', path, headers: [], body: Buffer.from(JSON.stringify(body)) },
  });
  const call = asked({ model: 'delta-3', messages: [] });
  const sent = request(call);
  expect(sent.path).toBe('/openai/deployments/acme%2Flarge/chat/completions?api-version=1');
  expect(specified?.(sent)).toEqual(call);
  const bare = specified?.({ ...sent, body: Buffer.from('{"messages":[]}') });
  expect(JSON.parse(String(bare?.body))).toEqual({ model: 'delta-3', messages: [] });
  // A call without a model goes to one, so that its other faults are seen.
  expect(request(asked({})).path).toContain('/deployments/acme%2Flarge/');
  const finding = { aspect: 'a', expected: '400 invalid_param', answer: null };
  expect(hides?.({ ...finding, request: asked({ model: 5 }) })).toBe(
    `dialect.routes.${path}: the model is in the path`,
  );
  expect(hides?.({ ...finding, request: call })).toBeNull();
});

it('reads a stream that is one JSON array as its events', () => {
  const translation = translationWith({
    models: { own: 'gamma-3-pro' },
    streams: { 'compat-b': 'array' },
  });
  const path = '/compat-b/v1beta/models/gamma-3-pro:streamGenerateContent?key=k';
  const request: CarriedRequest = { method: 'POST', path, headers: [], body: Buffer.alloc(0) };
  const head = { status: 200, headers: [['content-type', 'application/json']] as const };
  const reader = readAnswer(translation, request, head);
  const early = reader.push(Buffer.from('[{"modelVersion":"own","candidates":[]}\n,\r\n{"a":"}"'));
  const late = reader.push(Buffer.from('}]'));
  expect(String(Buffer.concat(early))).toBe('data: {"modelVersion":"gamma-3-pro","candidates":[]}\n\n');
  expect(String(Buffer.concat([...late, ...reader.end().rest]))).toBe('data: {"a":"}"}\n\n');
  expect(reader.head?.headers).toEqual([['content-type', 'text/event-stream']]);
});
