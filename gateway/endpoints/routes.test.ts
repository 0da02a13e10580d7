import { expect, it } from 'vitest';
import { allBusinessRoutes } from '../testing/business-routes.ts';
import type { FakeUpstream } from '../testing/fake-upstream.ts';
import {
  adminToken,
  startTestGateway,
  type TestGateway,
  testConfig,
  testKey,
} from '../testing/test-gateway.ts';
import { twoEndsOfFile } from '../testing/two-ends.ts';
import { read } from '../testing/wire.ts';

const testedMethods = ['GET', 'POST'] as const;

let upstream: FakeUpstream;
let gateway: TestGateway;
twoEndsOfFile(startTestGateway, {}, (ends) => {
  ({ upstream, gateway } = ends);
});

it.for([
  ['/api/v1/chat/completions', 'POST', ['GET', 'PUT', 'DELETE', 'PATCH', 'OPTIONS']],
  ['/compat-a/v1/messages', 'POST', ['GET', 'PUT', 'DELETE', 'PATCH', 'OPTIONS']],
  [
    '/compat-b/v1beta/models/gamma-3-pro:generateContent',
    'POST',
    ['GET', 'PUT', 'DELETE', 'PATCH', 'OPTIONS'],
  ],
  ['/api/v1/images/generations', 'POST', ['GET', 'PUT', 'DELETE', 'PATCH', 'OPTIONS']],
  ['/api/v1/tasks', 'POST', ['GET', 'PUT', 'DELETE', 'PATCH', 'OPTIONS']],
  ['/api/v1/tasks/5', 'GET', ['POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS']],
  ['/api/v1/models', 'GET', ['POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS']],
  ['/api/v1/balance', 'GET', ['POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS']],
  ['/api/v1/openapi.json', 'GET', ['POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS']],
] as const)('answers other methods on %s with 405 and the allowed one', async ([path, allow, methods]) => {
  for (const method of methods) {
    const answer = await read(`${gateway.url}${path}`, { method, key: testKey });
    expect(answer).toMatchObject({
      status: 405,
      headers: { allow },
      json: { error: { code: 'method_not_allowed' } },
    });
  }
  expect((await read(`${gateway.url}${path}`, { method: 'HEAD', key: testKey })).status).toBe(405);
});

it.for(allBusinessRoutes)('rejects requests without a business key at $path', async ({ path, endpoints }) => {
  const url = gateway.url + path.replace('{model}:{method}', 'gamma-3-pro:generateContent');
  for (const method of testedMethods.filter((one) => Object.hasOwn(endpoints, one))) {
    for (const key of [undefined, 'nobody', adminToken]) {
      const answer = await read(url, { method, ...(key !== undefined && { key }) });
      expect(answer).toMatchObject({
        status: 401,
        json: { error: { code: 'invalid_api_key', type: 'auth_error' } },
      });
    }
  }
});

it('neither lists nor serves a model without a channel', async () => {
  const channels = [
    {
      id: 'c',
      dialect: 'chat-completions',
      base_url: upstream.url,
      api_key: 'k',
      models: { 'alpha-5-2': 'x' },
    },
  ];
  const small = await startTestGateway(testConfig(upstream.url, { channels }));
  const list = await read(`${small.url}/api/v1/models`, { key: testKey });
  expect(list.json.data).toHaveLength(1);
  const answer = await small.chat({ model: 'delta-3', messages: [{ role: 'user', content: 'hi' }] });
  expect(answer).toMatchObject({ status: 404, json: { error: { code: 'model_not_found', param: 'model' } } });
  await small.close();
});

it('logs one line a request, without key, query or body', async () => {
  gateway.logLines.length = 0;
  await read(`${gateway.url}/api/v1/models?secret-query=1`, { key: testKey });
  await gateway.chat({ model: 'secret-model', messages: [] });
  expect(gateway.logLines).toHaveLength(2);
  expect(gateway.logLines[0]).toMatchObject({
    route: '/api/v1/models',
    status: 200,
    code: 'ok',
    key_id: 'key-1',
  });
  expect(gateway.logLines[1]).toMatchObject({
    status: 404,
    code: 'model_not_found',
    request_id: expect.stringMatching(/^req_/),
  });
  expect(JSON.stringify(gateway.logLines)).not.toMatch(/secret|sk-app-/);
});
