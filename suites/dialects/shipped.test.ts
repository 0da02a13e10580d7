import { expect, it } from 'vitest';
import { Target } from '../engine/parts/target.ts';
import { dialect } from '../profile/dialect.ts';
import { minimalProfile } from '../profile/load-profile.ts';
import { protocols } from '../steps/protocols/protocol.ts';
import { createRng } from '../values/seed.ts';
import { inDialect } from './in-dialect.ts';
import { dialectNames } from './read-dialect.ts';

const speaking = (section: object) => ({
  ...minimalProfile('http://127.0.0.1:1', 'sk-app-1'),
  dialect: dialect.parse(section),
});

it('each included dialect can be read, and uses only specified codes and roles', () => {
  expect(dialectNames().length).toBeGreaterThanOrEqual(7);
  for (const name of dialectNames()) expect(inDialect(speaking({ extends: name })).translation).toBeDefined();
});

it.each([
  [{ extends: 'litelm' }, /no dialect litelm.*did you mean litellm/],
  [
    { models: { a: { like: 'alpha-5' } } },
    /dialect.models.a: there is no model alpha-5 \(did you mean alpha-5-/,
  ],
  [{ fields: { tasks: { answer: { taskid: 'id' } } } }, /tasks.answer: .* taskid .did you mean task_id/],
  [{ fields: { chat: { answer: { 'usage.prompt': 'in' } } } }, /did you mean usage.prompt_tokens/],
  [{ fields: { chat: { request: { max_token: null } } } }, /chat.request: .*did you mean max_tokens/],
  [{ fields: { tasks: { texts: ['duration_secs'] } } }, /tasks.texts: .*did you mean duration_sec/],
  [{ fields: { images: { request: { sizes: 'dim' } } } }, /did you mean size/],
  [{ routes: { '/compat-c/v1': '/v1' } }, /routes: there is no path .*did you mean .compat/],
  [{ errors: { at: { '/api/v1/image': {} } } }, /errors.at: .*did you mean .api.v1.images\?/],
  [{ errors: { codes: { invalid_key: null } } }, /no code invalid_key .did you mean invalid_/],
])('%j is refused', (section, message) => {
  expect(() => inDialect(speaking(section))).toThrow(message);
});

it('an own sign of an error replaces that of the dialect that it extends', () => {
  const codes = { unsupported_capability: { status: 400, code: 'unsupported_value' } };
  const { translation } = inDialect(speaking({ extends: 'openai', errors: { codes } }));
  const body = Buffer.from('{"error":{"message":"No such thing.","code":"unsupported_value"}}');
  const request = { method: 'POST', path: '/api/v1/chat/completions', headers: [], body: Buffer.from('{}') };
  const answer = translation?.answer({ status: 400, headers: [], body }, request);
  expect(JSON.parse(`${answer?.body}`)).toMatchObject({ error: { code: 'unsupported_capability' } });
});

it('what a dialect describes is there, although the one that it extends does not have it', () => {
  expect(inDialect(speaking({ extends: 'openai' })).absent).toEqual(['tasks', 'webhooks']);
  const tasks = { submit: '/v1/videos' };
  expect(inDialect(speaking({ extends: 'openai', tasks })).absent).toEqual(['webhooks']);
});

it('own models play their roles everywhere in a profile, and others are extra models', () => {
  const models = {
    'acme-large': { like: 'alpha-5-2', context: 128_000, capabilities: ['tools', 'stream'] },
    'acme-twin': 'alpha-5-2',
    'acme-mute': { like: 'delta-3', capabilities: ['stream'] },
  };
  const profile = inDialect({
    ...speaking({ models }),
    pricing: { models: { 'acme-large': { input: '1', output: '2' } } },
  } as never);
  expect(profile.models.enabled).toEqual(['alpha-5-2']);
  expect(Object.keys(profile.pricing.models ?? {})).toEqual(['alpha-5-2']);
  expect(profile.chat.extra_models).toEqual([
    { id: 'acme-twin', context_tokens: 400_000, capabilities: ['tools', 'stream', 'vision'] },
    { id: 'acme-mute', context_tokens: 256_000, capabilities: ['stream'] },
  ]);
  inDialect(speaking({}));
});

it('models play their roles though none has tools, and rules about tools then have nothing to judge', () => {
  const plain = ['stream'];
  const models = {
    'acme-large': { like: 'delta-3', context: 128_000, capabilities: plain },
    'acme-small': { like: 'alpha-codex', context: 32_000, capabilities: plain },
  };
  const profile = inDialect(speaking({ models }));
  expect(profile.models.enabled).toEqual(['delta-3', 'alpha-codex']);
  expect(profile.chat.extra_models).toEqual([
    { id: 'delta-3', context_tokens: 128_000, capabilities: plain },
    { id: 'alpha-codex', context_tokens: 32_000, capabilities: plain },
  ]);
  const hidden = (body: object, expected: string): string | null | undefined =>
    profile.translation?.hides?.({
      ...{ aspect: 'a', expected, answer: null },
      request: { method: 'POST', path: '/api/v1/chat/completions', headers: [], body: bodyOf(body) },
    });
  const nothing = 'dialect.models: no model has the capability tools';
  expect(hidden({ tools: [] }, 'a tool call')).toBe(nothing);
  expect(hidden({ messages: [{ role: 'tool', content: '' }] }, 'HTTP 200')).toBe(nothing);
  expect(hidden({ tools: [] }, '400 unsupported_capability')).toBeNull();
  expect(hidden({ stream: true }, 'HTTP 200')).toBeNull();
  inDialect(speaking({}));
});

it('a model that chat completions do not serve is judged on its native protocol alone', () => {
  const models = { 'acme-claude': { like: 'beta-large-4-5', absent: ['chat'] }, 'acme-gpt': 'alpha-5-2' };
  const profile = inDialect(speaking({ models }));
  const facts = { profile, models: profile.models.enabled ?? [], mediaModels: [], ownTenant: true };
  const target = new Target({ ...facts, size: 'quick' }, createRng(1, 'x'));
  expect([target.models, target.nativeModels]).toEqual([['alpha-5-2'], ['beta-large-4-5', 'alpha-5-2']]);
  const served = protocols.map(({ serves }) => target.nativeModels.filter(serves));
  expect(served).toEqual([['alpha-5-2'], ['beta-large-4-5'], []]);
  inDialect(speaking({}));
});

it('names the models that no check uses', () => {
  const { leftOut } = inDialect(
    speaking({
      models: {
        one: { like: 'beta-large-4-5', absent: ['chat'] },
        two: { like: 'beta-large-4-5', absent: ['chat'] },
        three: { like: 'beta-large-4-5' },
        film: { like: 'vidB2' },
        clip: { like: 'vidB2' },
      },
    }),
  );
  expect(leftOut).toEqual([
    expect.stringMatching(/two is not judged: one has the role beta-large-4-5/),
    expect.stringMatching(/clip is not judged: film has the role vidB2/),
  ]);
});

function bodyOf(value: object): Buffer {
  return Buffer.from(JSON.stringify(value));
}
