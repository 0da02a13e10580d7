import { expect, it } from 'vitest';
import { minimalProfile } from '../profile/load-profile.ts';
import { dialectOf } from './dialect-of.ts';
import { lookAtInterface } from './look-at-interface.ts';
import { answering } from './testing/answering.ts';

it.each(['', '/openai/deployments/own-1/chat/completions?api-version=2024-10-21'])(
  'finds deployments in the paths of calls, given %j',
  async (tail) => {
    const call = (model: string) => `/openai/deployments/${model}/chat/completions?api-version=2024-10-21`;
    const wrong = { status: 400, body: { error: { message: 'No.', code: 'BadRequest' } } };
    const unknown = { status: 404, body: { error: { message: 'No.', code: 'DeploymentNotFound' } } };
    const origin = await answering({
      '/openai/models?api-version=2024-10-21': () => ({ status: 200, body: { data: [{ id: 'own-1' }] } }),
      [call('own-1')]: () => wrong,
      [call('zz-no-such-model')]: () => unknown,
      [call('none')]: () => unknown,
    });
    const seen = await lookAtInterface(minimalProfile(origin + tail, 'sk-right'));
    expect(seen?.requests).toBeLessThanOrEqual(15);
    expect(seen?.baseUrl).toBe(origin);
    expect(seen === null ? null : dialectOf(seen).sections).toMatchObject({
      dialect: {
        routes: {
          '/api/v1': '/openai?api-version=2024-10-21',
          '/api/v1/chat/completions': call('{model}'),
        },
        keys: { core: { header: 'api-key' } },
        models: { 'own-1': { like: 'delta-3' } },
      },
      absent: expect.arrayContaining(['images', 'tasks', 'compat.a', 'compat.b']),
    });
  },
);

it('finds the names that an error object has for its members', async () => {
  const fault = (status: number, code: string, field?: string) => ({
    status,
    body: { error: { code, detail: 'No such thing.', ...(field !== undefined && { field }) } },
  });
  const origin = await answering({
    '/v1/models': () => ({ status: 200, body: { data: [{ id: 'own-1' }] } }),
    '/v1/chat/completions': (body, _, isKeyless) => {
      if (isKeyless) return fault(401, 'E_AUTH');
      return body.includes('zz-no') ? fault(404, 'E_MODEL') : fault(422, 'E_BODY', 'messages');
    },
  });
  const seen = await lookAtInterface(minimalProfile(origin, 'sk-right'));
  expect(seen === null ? null : dialectOf(seen).sections.dialect).toMatchObject({
    errors: { members: { message: 'detail', param: 'field' } },
  });
});

it('finds an error object under a name of its own, and the names of its members', async () => {
  const fault = (status: number, reason: string, field: string | null = null) => ({
    status,
    body: { success: false, fault: { reason, text: 'No.', field } },
  });
  const origin = await answering({
    '/v1/models': () => ({ status: 200, body: { data: [{ id: 'own-1' }] } }),
    '/v1/chat/completions': (body, _, isKeyless) => {
      if (isKeyless || body.includes('Hello.') !== body.includes('zz-no')) return fault(403, 'BAD_KEY');
      return body.includes('zz-no') ? fault(404, 'NO_MODEL') : fault(422, 'BAD_FIELD', 'messages');
    },
  });
  const seen = await lookAtInterface(minimalProfile(origin, 'sk-right'));
  expect(seen === null ? null : dialectOf(seen).sections.dialect).toMatchObject({
    errors: {
      object: 'fault',
      members: { message: 'text', code: 'reason', type: null, param: 'field', channel: null },
      codes: {
        invalid_param: { code: 'BAD_FIELD' },
        model_not_found: { code: 'NO_MODEL' },
        invalid_api_key: { code: 'BAD_KEY' },
      },
    },
  });
});
