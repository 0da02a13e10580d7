import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { adminMethods } from '../../openapi/route-description.ts';
import { type FakeUpstream, startFakeUpstream } from '../../testing/fake-upstream.ts';
import {
  adminToken,
  hookToken,
  startTestGateway,
  type TestGateway,
  testConfig,
  testKey,
} from '../../testing/test-gateway.ts';
import { read } from '../../testing/wire.ts';
import { adminRoutes } from './routes.ts';

let upstream: FakeUpstream;
let gateway: TestGateway;
beforeAll(async () => {
  upstream = await startFakeUpstream();
  const admin = { token: adminToken, guesses: { free: 1_000_000 } };
  gateway = await startTestGateway(testConfig(upstream.url, { admin }));
});
afterAll(async () => {
  await gateway.close();
  await upstream.close();
});

const paths = [...new Set(adminRoutes.map(({ path }) => path.replaceAll(/:\w+/g, 'acc')))];
const codeOf = async (path: string, method: (typeof adminMethods)[number], key?: string): Promise<string> => {
  const question = {
    method,
    ...(key !== undefined && { key }),
    ...(method !== 'GET' && { body: '{"broken' }),
  };
  const { json } = await read(`${gateway.url}${path}`, question);
  return json.error?.code ?? 'ok';
};

describe.for([...paths, '/api/admin', '/api/admin/', '/api/admin/zzz', '/api/admin/accounts/'])(
  '%s',
  (path) => {
    it('answers a business key with admin_token_required, whatever the method and body', async () => {
      for (const method of adminMethods)
        expect(await codeOf(path, method, testKey)).toBe('admin_token_required');
    });

    it.for([
      ['nobody', undefined],
      ['an unknown key', 'sk-app-nobody-knows-it'],
      ['the token of the hooks', hookToken],
      ['the beginning of the admin token', adminToken.slice(0, -1)],
      ['more than the admin token', `${adminToken}x`],
      ['another case', adminToken.toUpperCase()],
    ] as const)('is closed to %s, whatever the method', async ([, token]) => {
      for (const method of adminMethods) expect(await codeOf(path, method, token)).toBe('invalid_api_key');
    });
  },
);

it.for(paths)('answers other methods on %s with 405 and the allowed ones', async (path) => {
  const allow = adminRoutes
    .filter((route) => route.path.replaceAll(/:\w+/g, 'acc') === path)
    .map(({ method }) => method);
  const others = [...adminMethods, 'OPTIONS', 'HEAD'] as const;
  for (const method of others) {
    if (allow.some((known) => known === method)) continue;
    const answer = await read(`${gateway.url}${path}`, { method, key: adminToken });
    expect(answer).toMatchObject({ status: 405, headers: { allow: allow.join(', ') } });
  }
});

it.for([
  '/api/admin',
  '/api/admin/',
  '/api/admin/zzz',
  '/api/admin/accounts/',
  '/api/admin/Accounts',
  '/api/admin/accounts/acc/zzz',
  '/api/admin//accounts',
])('answers the admin token on %s with not_found', async (path) => {
  for (const method of adminMethods) expect(await codeOf(path, method, adminToken)).toBe('not_found');
});

it('rejects every token when no admin token is configured', async () => {
  const config = { ...testConfig(upstream.url), admin: undefined };
  const closed = await startTestGateway(config);
  const answer = await read(`${closed.url}/api/admin/accounts`, { key: adminToken });
  expect(answer.json.error.code).toBe('invalid_api_key');
  await closed.close();
});

it('rejects the admin token on business paths', async () => {
  const answer = await read(`${gateway.url}/api/v1/models`, { key: adminToken });
  expect(answer.json.error.code).toBe('invalid_api_key');
});

it('describes every route once, with a summary and a place for each name in its path', () => {
  const names = adminRoutes.map(({ method, path }) => `${method} ${path}`);
  expect(new Set(names).size).toBe(names.length);
  for (const { summary, path } of adminRoutes) {
    expect(summary).toMatch(/^[A-Z].*\.$/);
    expect(path).toMatch(/^\/api\/admin(?:\/(?:[a-z.-]+|:[a-z]+))+$/);
  }
});
