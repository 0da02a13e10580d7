import { afterAll, beforeAll, expect, it } from 'vitest';
import { completion, type FakeUpstream, startFakeUpstream } from '../testing/fake-upstream.ts';
import {
  otherKey,
  startTestGateway,
  type TestGateway,
  testConfig,
  testKey,
} from '../testing/test-gateway.ts';

let upstream: FakeUpstream;
let gateway: TestGateway;
beforeAll(async () => {
  upstream = await startFakeUpstream();
  upstream.fallback = completion('Hello');
  const channel = (id: string, account: string | null, models: readonly string[]) => ({
    id,
    ...(account !== null && { account }),
    dialect: 'chat-completions',
    base_url: `${upstream.url}/v1`,
    api_key: 'upstream-secret',
    models: Object.fromEntries(models.map((model) => [model, `native-${model}`])),
  });
  const account = (id: string, secret: string, more: object) => ({
    id,
    users: [{ id: `${id}-usr` }],
    apps: [{ id: `${id}-app` }],
    keys: [{ id: `${id}-key`, user: `${id}-usr`, app: `${id}-app`, secret }],
    ...more,
  });
  const config = testConfig(upstream.url, {
    accounts: [account('acc', testKey, { channels_of: 'lender' }), account('lender', otherKey, {})],
    channels: [
      channel('shared', null, ['delta-3', 'alpha-5-2', 'plain-1']),
      channel('lent', 'lender', ['delta-3', 'alpha-5-2']),
      channel('own', 'acc', ['delta-3']),
    ],
  });
  gateway = await startTestGateway(config);
});
afterAll(async () => {
  await gateway.close();
  await upstream.close();
});

it.for([
  ['its own channels', testKey, 'delta-3', 'own'],
  ['those of the lender where it has none', testKey, 'alpha-5-2', 'lent'],
  ['the shared ones where neither has any', testKey, 'plain-1', 'shared'],
  ['never those of who is lent some', otherKey, 'delta-3', 'lent'],
] as const)('an account is served by %s', async ([, key, model, id]) => {
  const { status } = await gateway.chat({ model, messages: [{ role: 'user', content: 'hi' }] }, key);
  expect(status).toBe(200);
  expect(gateway.records.at(-1)).toMatchObject({ model_served: model, channel_id: id });
});
