import { beforeEach, describe, expect, it } from 'vitest';
import { keyHasher } from '../../access/hash-key.ts';
import { adminClient } from '../../testing/admin-client.ts';
import type { FakeUpstream } from '../../testing/fake-upstream.ts';
import { type StoredGateway, startStoredGateway } from '../../testing/stored-gateway.ts';
import { otherKey, testConfig, testKey, twinKey } from '../../testing/test-gateway.ts';
import { twoEndsOfFile } from '../../testing/two-ends.ts';
import type { Answer } from '../../testing/wire.ts';

let upstream: FakeUpstream;
let gateway: StoredGateway;
let admin: ReturnType<typeof adminClient>;
twoEndsOfFile(startStoredGateway, {}, (ends) => {
  ({ upstream, gateway } = ends);
  admin = adminClient(gateway.url);
});

const hourMs = 3_600_000;
const inHours = (hours: number): string => new Date(gateway.clock.now() + hours * hourMs).toISOString();
const ask = async (key: string): Promise<string> => {
  const body = { model: 'delta-3', messages: [{ role: 'user', content: 'hi' }] };
  return (await gateway.chat(body, key)).json.error?.code ?? 'ok';
};
const owner = { user_id: 'usr', app_id: 'app' };
const made = async (more: object = {}): Promise<{ id: string; secret: string }> =>
  (await admin('POST', '/accounts/acc/keys', { ...owner, ...more })).json;
const refusal = (param: string) => ({
  status: 400,
  json: { error: { code: 'invalid_param', type: 'invalid_request_error', param } },
});
const rows = () => gateway.store.db.selectFrom('api_keys').selectAll().orderBy('id').execute();
const refuses = async (asked: () => Promise<Answer>, expected: object): Promise<void> => {
  const before = await rows();
  expect(await asked()).toMatchObject(expected);
  expect(await rows()).toEqual(before);
};

describe('a new key', () => {
  it('works at once, with a secret of more than 128 random bits that is shown once', async () => {
    const { status, json } = await admin('POST', '/accounts/acc/keys', owner);
    expect(status).toBe(201);
    expect(json).toEqual({
      id: expect.stringMatching(/^key_/),
      account_id: 'acc',
      ...owner,
      secret: expect.stringMatching(/^sk-app-[A-Za-z0-9_-]{22,}$/),
      prefix: 'sk-app-',
      last4: json.secret.slice(-4),
      disabled: false,
      expires_at: null,
      allow: [],
      created_at: expect.any(String),
    });
    expect(await ask(json.secret)).toBe('ok');
    const { text } = await admin('GET', '/accounts/acc/keys?limit=500');
    expect(text).toContain(json.id);
    expect(text).not.toContain(json.secret.slice(8, -4));
  });

  it('is stored as a keyed hash with only its prefix and last four characters', async () => {
    const { id, secret } = await made();
    const hash = keyHasher('a pepper for tests')(secret);
    const row = (await rows()).find((known) => known.id === id);
    expect(row).toMatchObject({ hash, prefix: 'sk-app-', last4: secret.slice(-4) });
    expect(JSON.stringify(row)).not.toContain(secret.slice(8, -4));
  });

  it('has a unique secret', async () => {
    const secrets = await Promise.all(Array.from({ length: 20 }, async () => (await made()).secret));
    expect(new Set(secrets).size).toBe(20);
  });

  it('has the requested state', async () => {
    expect(await ask((await made({ disabled: true })).secret)).toBe('sk_disabled');
    expect(await ask((await made({ allow: ['203.0.113.0/24'] })).secret)).toBe('ip_not_allowed');
    expect(await ask((await made({ allow: ['2001:db8::/32', '127.0.0.0/8'] })).secret)).toBe('ok');
    const expires_at = inHours(1);
    expect(await made({ expires_at })).toMatchObject({ expires_at });
  });

  it.for([
    [{ user_id: 'other-usr' }, 'user_id'],
    [{ user_id: 'nobody' }, 'user_id'],
    [{ user_id: undefined }, 'user_id'],
    [{ app_id: 'other-app' }, 'app_id'],
    [{ app_id: 'nothing' }, 'app_id'],
    [{ app_id: null }, 'app_id'],
    [{ id: 'key-1' }, 'id'],
    [{ id: 'other-key' }, 'id'],
    [{ secret: 'sk-app-my-own-secret' }, 'secret'],
    [{ expires_at: '2001-01-01T00:00:00Z' }, 'expires_at'],
    [{ expires_at: '2099-02-30T00:00:00Z' }, 'expires_at'],
    [{ expires_at: '2099-01-01' }, 'expires_at'],
    [{ expires_at: '9999-12-31T23:59:59-23:59' }, 'expires_at'],
    [{ expires_at: 'soon' }, 'expires_at'],
    [{ expires_at: 4_000_000_000 }, 'expires_at'],
    [{ disabled: 'no' }, 'disabled'],
    [{ allow: '10.0.0.0/8' }, 'allow'],
    [{ allow: ['10.0.0.0/8', '10.0.0.1'] }, 'allow[1]'],
    [{ allow: ['10.0.0.0/33'] }, 'allow[0]'],
    [{ allow: ['10.0.0.256/8'] }, 'allow[0]'],
    [{ allow: ['::1/129'] }, 'allow[0]'],
    [{ allow: ['fe80::1%eth0/64'] }, 'allow[0]'],
    [{ allow: ['everywhere'] }, 'allow[0]'],
    [{ allow: [''] }, 'allow[0]'],
  ] as const)('is not made with %j', async ([more, param]) => {
    await refuses(() => admin('POST', '/accounts/acc/keys', { ...owner, ...more }), refusal(param));
  });

  it('is not created for an unknown account', async () => {
    await refuses(() => admin('POST', '/accounts/nobody/keys', owner), { status: 404 });
    expect((await admin('GET', '/accounts/nobody/keys')).status).toBe(404);
  });
});

describe('a change of a key', () => {
  it('is in effect when it is answered', async () => {
    const { id, secret } = await made();
    const change = async (body: object): Promise<string> => {
      expect((await admin('PATCH', `/keys/${id}`, body)).json).toMatchObject(body);
      return ask(secret);
    };
    expect(await change({ disabled: true })).toBe('sk_disabled');
    expect(await change({ disabled: false })).toBe('ok');
    expect(await change({ allow: ['203.0.113.7/32'] })).toBe('ip_not_allowed');
    expect(await change({ allow: [] })).toBe('ok');
    expect(await change({ expires_at: inHours(1) })).toBe('ok');
    await gateway.clock.advance(hourMs);
    expect(await ask(secret)).toBe('sk_expired');
    expect(await change({ expires_at: null })).toBe('ok');
    expect((await admin('PATCH', `/keys/${id}`, {})).status).toBe(200);
  });

  it.for([
    [{ expires_at: '2001-01-01T00:00:00Z' }, 'expires_at'],
    [{ allow: ['10.0.0.0/99'] }, 'allow[0]'],
    [{ disabled: true, allow: ['x'] }, 'allow[0]'],
    [{ user_id: 'usr' }, 'user_id'],
    [{ secret: 'sk-app-another-one' }, 'secret'],
  ] as const)('is refused whole for %j', async ([body, param]) => {
    await refuses(() => admin('PATCH', '/keys/key-1', body), refusal(param));
    expect(await ask(testKey)).toBe('ok');
  });

  it('compares an expiry with the gateway clock', async () => {
    const soon = inHours(1);
    await gateway.clock.advance(hourMs);
    await refuses(() => admin('PATCH', '/keys/key-1', { expires_at: soon }), refusal('expires_at'));
  });

  it('answers 404 for an unknown key', async () => {
    await refuses(() => admin('PATCH', '/keys/nobody', { disabled: true }), { status: 404 });
    await refuses(() => admin('DELETE', '/keys/nobody'), { status: 404 });
  });
});

describe('a deleted key', () => {
  let key: { id: string; secret: string };
  beforeEach(async () => {
    key = await made();
    expect((await admin('DELETE', `/keys/${key.id}`)).json).toEqual({ id: key.id, deleted: true });
  });

  it('is unknown at once', async () => {
    expect(await ask(key.secret)).toBe('invalid_api_key');
    expect((await admin('DELETE', `/keys/${key.id}`)).status).toBe(404);
    expect((await admin('GET', '/accounts/acc/keys?limit=500')).text).not.toContain(key.id);
    expect(await ask(twinKey)).toBe('ok');
  });
});

it('keeps deletions and changes after a restart with the same configuration', async () => {
  const config = testConfig(upstream.url);
  await admin('DELETE', '/keys/other-key');
  await admin('PATCH', '/keys/key-2', { disabled: true });
  const { id } = await made();
  await gateway.reseed(config);
  expect(await ask(otherKey)).toBe('invalid_api_key');
  expect(await ask(twinKey)).toBe('sk_disabled');
  expect((await rows()).map((row) => row.id)).toContain(id);
});
