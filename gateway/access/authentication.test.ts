import { describe, expect, it } from 'vitest';
import { GatewayError } from '../errors/gateway-error.ts';
import type { FakeUpstream } from '../testing/fake-upstream.ts';
import {
  adminToken,
  hookToken,
  startTestGateway,
  type TestGateway,
  testConfig,
  testKey,
} from '../testing/test-gateway.ts';
import { twoEndsOfFile } from '../testing/two-ends.ts';
import { read } from '../testing/wire.ts';
import { usableKey } from './authenticate.ts';

const hourMs = 3_600_000;
const expiry = new Date(Date.now() + hourMs);
const long = new Date(Date.now() - hourMs).toISOString();
const key = (id: string, more: object = {}) => ({
  id,
  user: 'usr',
  app: 'app',
  secret: `sk-app-${id}-12345678`,
  ...more,
});

const accounts = [
  {
    id: 'acc',
    users: [{ id: 'usr', cap: 50 }],
    apps: [{ id: 'app' }],
    keys: [
      { ...key('good'), secret: testKey },
      key('disabled', { disabled: true }),
      key('expired', { expires_at: long }),
      key('both', { disabled: true, expires_at: long }),
      key('foreign', { allow: ['203.0.113.0/24'] }),
      key('local', { allow: ['203.0.113.0/24', '127.0.0.0/8'] }),
      key('expiring', { expires_at: expiry.toISOString() }),
    ],
  },
];

let upstream: FakeUpstream;
let gateway: TestGateway;
twoEndsOfFile(startTestGateway, { accounts }, (ends) => {
  ({ upstream, gateway } = ends);
});

const get = (secret: string, headers = {}) => read(`${gateway.url}/api/v1/models`, { key: secret, headers });

it('reports a key that is both disabled and expired as disabled', async () => {
  expect(await get(key('both').secret)).toMatchObject({
    status: 401,
    json: { error: { code: 'sk_disabled' } },
  });
});

it('reads X-Forwarded-For only from trusted proxies', async () => {
  const config = testConfig(upstream.url, { accounts, trusted_proxies: ['127.0.0.0/8'] });
  const behind = await startTestGateway(config);
  const status = async (secret: string, headers: Record<string, string>) =>
    (await read(`${behind.url}/api/v1/models`, { key: secret, headers })).status;
  const { secret } = key('foreign');
  const allowed = '203.0.113.7';
  expect(await status(secret, { 'x-forwarded-for': allowed })).toBe(200);
  expect(await status(secret, { 'x-forwarded-for': `198.51.100.1, ::ffff:${allowed}, 127.0.0.2` })).toBe(200);
  expect(await status(secret, { 'x-forwarded-for': `${allowed}, 198.51.100.1` })).toBe(403);
  expect(await status(secret, { 'x-forwarded-for': `${allowed}, unknown` })).toBe(403);
  expect(await status(secret, { forwarded: `for=${allowed}`, 'x-real-ip': allowed })).toBe(403);
  // An unknown caller address matches no allow-list, not even one with the proxy in it. A key without an allow-list still
  // works.
  expect(await status(key('local').secret, { 'x-forwarded-for': 'unknown' })).toBe(403);
  expect(await status(testKey, { 'x-forwarded-for': 'unknown' })).toBe(200);
  await behind.close();
});

it('takes a bearer token on compat path A only where no other key is given', async () => {
  const status = async (headers: Record<string, string>) =>
    (await read(`${gateway.url}/compat-a/v1/messages`, { method: 'POST', headers, body: {} })).status;
  const authorization = `Bearer ${testKey}`;
  // With a key, the empty body is what is refused.
  expect(await status({ authorization })).toBe(400);
  expect(await status({ authorization, 'x-api-key': 'sk-app-other' })).toBe(401);
  expect(await status({ authorization: testKey })).toBe(401);
});

it('accepts a key until its expiry and rejects it from that millisecond on', () => {
  const { secret } = key('expiring');
  const { keys } = gateway.app;
  const at = (ms: number) => () => usableKey(secret, keys, expiry.getTime() + ms).record.id;
  expect([-2000, -1].map((ms) => at(ms)())).toEqual(['expiring', 'expiring']);
  for (const ms of [0, 1, 2000]) expect(at(ms)).toThrow(new GatewayError('sk_expired'));
});

it('answers all unknown keys alike, however similar to known ones', async () => {
  const known = [testKey, key('disabled').secret, key('expired').secret, key('foreign').secret];
  const near = known.flatMap((secret) => [`${secret}x`, secret.slice(0, -1), secret.replace(/.$/, '~')]);
  const answers = await Promise.all([...near, 'sk-app-nobody-knows-it'].map((secret) => get(secret)));
  const plain = answers.map(({ status, headers, text }) => {
    const { date, 'x-request-id': requestId, ...rest } = headers;
    expect(date).toBeDefined();
    return { status, text: text.replaceAll(String(requestId), 'id'), rest };
  });
  expect(new Set(plain.map((answer) => JSON.stringify(answer))).size).toBe(1);
  expect(plain[0]?.status).toBe(401);
});

it('answers the admin token on an unknown admin path with not_found', async () => {
  const answer = await read(`${gateway.url}/api/admin/users`, { key: adminToken });
  expect(answer.json.error.code).toBe('not_found');
});

describe('/hooks/clock', () => {
  it('shows and moves the clock only for the hook token', async () => {
    const url = `${gateway.url}/hooks/clock`;
    expect((await read(url, { key: testKey })).json.error.code).toBe('invalid_api_key');
    const before = (await read(url, { key: hookToken })).json.now_ms;
    const moved = await read(url, { method: 'POST', key: hookToken, body: { advance_ms: 5000 } });
    expect(moved.json).toEqual({ now_ms: expect.any(Number), next_due_ms: null });
    expect(moved.json.now_ms - before).toBeGreaterThanOrEqual(5000);
  });

  it.for([{}, { advance_ms: -1 }, { advance_ms: '1' }, { advance_ms: 0.5 }])(
    'rejects the body %j',
    async (body) => {
      const answer = await read(`${gateway.url}/hooks/clock`, { method: 'POST', key: hookToken, body });
      expect(answer.json.error).toMatchObject({ code: 'invalid_param', param: 'advance_ms' });
    },
  );

  it('does not exist on a gateway without the test clock', async () => {
    const config = testConfig(upstream.url, { test: { clock: false, token: hookToken } });
    const plain = await startTestGateway(config);
    expect((await read(`${plain.url}/hooks/clock`, { key: hookToken })).json.error.code).toBe('not_found');
    await plain.close();
  });
});
