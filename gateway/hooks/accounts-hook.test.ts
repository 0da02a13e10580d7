import { describe, expect, it } from 'vitest';
import type { FakeUpstream } from '../testing/fake-upstream.ts';
import { type StoredGateway, startStoredGateway, testPrices } from '../testing/stored-gateway.ts';
import { hookToken, otherKey, startTestGateway, testConfig, testKey } from '../testing/test-gateway.ts';
import { twoEndsOfFile } from '../testing/two-ends.ts';
import { type Answer, read } from '../testing/wire.ts';

let upstream: FakeUpstream;
let gateway: StoredGateway;
const changes = { test: { clock: true, accounts: true, token: hookToken }, prices: testPrices };
twoEndsOfFile(startStoredGateway, changes, (ends) => {
  ({ upstream, gateway } = ends);
});

const hookPath = '/hooks/accounts';
const hook = (body: unknown, path = hookPath, key = hookToken): Promise<Answer> =>
  read(`${gateway.url}${path}`, { method: 'POST', key, body });
const ask = (key: string, model = 'delta-3'): Promise<Answer> =>
  gateway.chat({ model, messages: [{ role: 'user', content: 'hi' }] }, key);
const balance = async (key: string): Promise<string> =>
  (await read(`${gateway.url}/api/v1/balance`, { key })).json.balance;
const codeOf = ({ json }: Answer): string => json.error?.code ?? 'ok';

describe('a new account', () => {
  it('has a working user, app and key, with the channels and models of the given account', async () => {
    const { status, json } = await hook({ like: otherKey });
    expect(status).toBe(201);
    expect(json).toEqual({
      account: expect.stringMatching(/^acct_/),
      users: [expect.stringMatching(/^user_/)],
      apps: [expect.stringMatching(/^app_/)],
      keys: [{ id: expect.stringMatching(/^key_/), secret: expect.stringMatching(/^sk-app-[\w-]{22,}$/) }],
    });
    const { secret } = json.keys[0];
    expect(codeOf(await ask(secret))).toBe('ok');
    expect(codeOf(await ask(secret, 'alpha-5-2'))).toBe('model_not_found');
  });

  it('has the requested users, apps and keys', async () => {
    const { json } = await hook({
      like: testKey,
      models: ['delta-3'],
      users: [{}, { cap: 1 }],
      apps: [{}, { markup_bp: 1000, model_markup_bp: { 'delta-3': -500 } }],
      keys: [
        { user: 1, app: 1 },
        { disabled: true },
        { expires_at: '2001-01-01T00:00:00Z' },
        { allow: ['203.0.113.0/24'] },
      ],
    });
    const secrets: string[] = json.keys.map(({ secret }: { secret: string }) => secret);
    const codes = [];
    for (const secret of secrets) codes.push(codeOf(await ask(secret)));
    expect(codes).toEqual(['ok', 'sk_disabled', 'sk_expired', 'ip_not_allowed']);
    expect(gateway.app.keys.find(secrets[0] ?? '')?.record).toMatchObject({
      user_id: json.users[1],
      app_id: json.apps[1],
      cap: 1,
      markup_bp: 1000,
      model_markup_bp: { 'delta-3': -500 },
      models: ['delta-3'],
    });
  });

  it('is cut off when its credits are spent', async () => {
    const { json } = await hook({ like: testKey, credits: '0.000001' });
    const { secret } = json.keys[0];
    expect(await balance(secret)).toBe('0.000001');
    expect(codeOf(await ask(secret))).toBe('ok');
    expect(await balance(secret)).toMatch(/^-/);
    expect(codeOf(await ask(secret))).toBe('quota_exceeded');
  });

  it.for([
    [{}, 'like'],
    [{ like: 'sk-app-nobody-knows-it' }, 'like'],
    [{ like: testKey, zzz: 1 }, 'zzz'],
    [{ like: testKey, credits: '0' }, 'credits'],
    [{ like: testKey, credits: 1 }, 'credits'],
    [{ like: testKey, monthly_tokens: -1 }, 'monthly_tokens'],
    [{ like: testKey, models: ['no-such-model'] }, 'models[0]'],
    [{ like: testKey, users: [{ cap: 0 }] }, 'users[0].cap'],
    [{ like: testKey, keys: [{}, { user: 1 }] }, 'keys[1].user'],
    [{ like: testKey, keys: [{ app: 1 }] }, 'keys[0].app'],
    [{ like: testKey, keys: [{ allow: ['10.0.0.0'] }] }, 'keys[0].allow[0]'],
    [{ like: testKey, keys: [{ expires_at: 'soon' }] }, 'keys[0].expires_at'],
    [{ like: testKey, apps: [{ model_markup_bp: { 'no-model': 1 } }] }, 'model_markup_bp.no-model'],
  ] as const)('is not created from %j', async ([body, param]) => {
    const count = async (): Promise<number> =>
      (await gateway.store.db.selectFrom('accounts').select('id').execute()).length;
    const before = await count();
    expect(await hook(body)).toMatchObject({
      status: 400,
      json: { error: { code: 'invalid_param', param } },
    });
    expect(await count()).toBe(before);
  });
});

describe('a change of an account', () => {
  it('is in effect when it is answered', async () => {
    const { json } = await hook({ like: testKey, credits: '1', monthly_tokens: 1000 });
    const { secret, id } = json.keys[0];
    const change = async (body: object): Promise<string> => {
      expect(await hook(body, `${hookPath}/${json.account}`)).toMatchObject({ status: 200, json: {} });
      return codeOf(await ask(secret));
    };
    expect(await change({ grant: '2.5' })).toBe('ok');
    expect(await balance(secret)).toMatch(/^3\.49/);
    expect(await change({ keys: { [id]: { disabled: true } } })).toBe('sk_disabled');
    expect(await change({ keys: { [id]: { disabled: false, expires_at: '2001-01-01T00:00:00Z' } } })).toBe(
      'sk_expired',
    );
    expect(await change({ keys: { [id]: { expires_at: null, allow: ['203.0.113.7/32'] } } })).toBe(
      'ip_not_allowed',
    );
    expect(await change({ keys: { [id]: { allow: [] } }, models: ['alpha-5-2'] })).toBe('model_not_found');
    expect(await change({ models: 'all', monthly_tokens: 0 })).toBe('quota_exceeded');
    expect(await change({ monthly_tokens: null, caps: { [json.users[0]]: 7 } })).toBe('ok');
    expect(await change({ apps: { [json.apps[0]]: { markup_bp: 250 } } })).toBe('ok');
    expect(gateway.app.keys.find(secret)?.record).toMatchObject({ cap: 7, markup_bp: 250 });
  });

  it('reaches no other account, and is made whole or not at all', async () => {
    const one = (await hook({ like: testKey })).json;
    const other = (await hook({ like: testKey })).json;
    const body = { monthly_tokens: 0, caps: { [other.users[0]]: 9 } };
    expect((await hook(body, `${hookPath}/${one.account}`)).status).toBe(404);
    expect((await hook({ prepaid: true }, `${hookPath}/no-such-account`)).status).toBe(404);
    expect(codeOf(await ask(one.keys[0].secret))).toBe('ok');
    expect(gateway.app.keys.find(other.keys[0].secret)?.record.cap).toBe(3);
  });
});

it('requires the hook token, and exists only if the configuration enables it', async () => {
  expect(codeOf(await hook({ like: testKey }, hookPath, testKey))).toBe('invalid_api_key');
  expect((await read(`${gateway.url}${hookPath}`, { key: hookToken })).status).toBe(405);
  const plain = await startTestGateway(testConfig(upstream.url));
  const answer = await read(`${plain.url}${hookPath}`, {
    method: 'POST',
    key: hookToken,
    body: { like: testKey },
  });
  expect(codeOf(answer)).toBe('not_found');
  await plain.close();
});
