import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ADMIN_METHODS } from '../../openapi/route-description.ts';
import { type FakeUpstream, startFakeUpstream } from '../../testing/fake-upstream.ts';
import {
  ADMIN_TOKEN,
  HOOK_TOKEN,
  KEY,
  startTestGateway,
  type TestGateway,
  testConfig,
} from '../../testing/test-gateway.ts';
import { read } from '../../testing/wire.ts';
import { ADMIN_ROUTES } from './routes.ts';

let upstream: FakeUpstream;
let gateway: TestGateway;
beforeAll(async () => {
  upstream = await startFakeUpstream();
  gateway = await startTestGateway(testConfig(upstream.url));
});
afterAll(async () => {
  await gateway.close();
  await upstream.close();
});

const PATHS = [...new Set(ADMIN_ROUTES.map(({ path }) => path.replaceAll(/:\w+/g, 'acc')))];
const codeOf = async (
  path: string,
  method: (typeof ADMIN_METHODS)[number],
  key?: string,
): Promise<string> => {
  const question = {
    method,
    ...(key !== undefined && { key }),
    ...(method !== 'GET' && { body: '{"broken' }),
  };
  const { json } = await read(`${gateway.url}${path}`, question);
  return json.error?.code ?? 'ok';
};

describe.for([...PATHS, '/api/admin', '/api/admin/', '/api/admin/zzz', '/api/admin/accounts/'])(
  '%s',
  (path) => {
    it('tells a business key that the admin token is needed, whatever the method and the body', async () => {
      for (const method of ADMIN_METHODS)
        expect(await codeOf(path, method, KEY)).toBe('admin_token_required');
    });

    it.for([
      ['nobody', undefined],
      ['an unknown key', 'sk-app-nobody-knows-it'],
      ['the token of the hooks', HOOK_TOKEN],
      ['the beginning of the admin token', ADMIN_TOKEN.slice(0, -1)],
      ['more than the admin token', `${ADMIN_TOKEN}x`],
      ['another case', ADMIN_TOKEN.toUpperCase()],
    ] as const)('is closed to %s, whatever the method', async ([, token]) => {
      for (const method of ADMIN_METHODS) expect(await codeOf(path, method, token)).toBe('invalid_api_key');
    });
  },
);

it.for(PATHS)('names the methods that %s takes', async (path) => {
  const allow = ADMIN_ROUTES.filter((route) => route.path.replaceAll(/:\w+/g, 'acc') === path).map(
    ({ method }) => method,
  );
  const others = [...ADMIN_METHODS, 'OPTIONS', 'HEAD'] as const;
  for (const method of others) {
    if (allow.some((known) => known === method)) continue;
    const answer = await read(`${gateway.url}${path}`, { method, key: ADMIN_TOKEN });
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
])('tells the administrator that %s does not exist', async (path) => {
  for (const method of ADMIN_METHODS) expect(await codeOf(path, method, ADMIN_TOKEN)).toBe('not_found');
});

it('opens nothing with an empty token when no admin token is configured', async () => {
  const config = { ...testConfig(upstream.url), admin: undefined };
  const closed = await startTestGateway(config);
  const answer = await read(`${closed.url}/api/admin/accounts`, { key: ADMIN_TOKEN });
  expect(answer.json.error.code).toBe('invalid_api_key');
  await closed.close();
});

it('takes no admin token on the paths of business', async () => {
  const answer = await read(`${gateway.url}/api/v1/models`, { key: ADMIN_TOKEN });
  expect(answer.json.error.code).toBe('invalid_api_key');
});

it('describes every route once, with a summary and a place for each name in its path', () => {
  const names = ADMIN_ROUTES.map(({ method, path }) => `${method} ${path}`);
  expect(new Set(names).size).toBe(names.length);
  for (const { summary, path } of ADMIN_ROUTES) {
    expect(summary).toMatch(/^[A-Z].*\.$/);
    expect(path).toMatch(/^\/api\/admin(?:\/(?:[a-z.-]+|:[a-z]+))+$/);
  }
});
