import { describe, expect, it } from 'vitest';
import { adminClient } from '../../testing/admin-client.ts';
import { type StoredGateway, startStoredGateway } from '../../testing/stored-gateway.ts';
import { testKey } from '../../testing/test-gateway.ts';
import { twoEndsOfFile } from '../../testing/two-ends.ts';
import type { Answer } from '../../testing/wire.ts';

let gateway: StoredGateway;
let admin: ReturnType<typeof adminClient>;
twoEndsOfFile(startStoredGateway, {}, (ends) => {
  ({ gateway } = ends);
  admin = adminClient(gateway.url);
});

const ask = async (key: string, model = 'delta-3'): Promise<string> => {
  const answer = await gateway.chat({ model, messages: [{ role: 'user', content: 'hi' }] }, key);
  return answer.json.error?.code ?? 'ok';
};
const refusal = (param: string | null) => ({
  status: 400,
  json: { error: { code: 'invalid_param', type: 'invalid_request_error', param } },
});
/** Everything in the database that an administrator can change. */
const state = async (): Promise<string> => {
  const { db } = gateway.store;
  const tables = ['accounts', 'users', 'apps', 'api_keys'] as const;
  const rows = await Promise.all(
    tables.map((table) => db.selectFrom(table).selectAll().orderBy('id').execute()),
  );
  return JSON.stringify(rows, (_key, value) => (typeof value === 'bigint' ? String(value) : value));
};
const refuses = async (asked: () => Promise<Answer>, expected: object): Promise<void> => {
  const before = await state();
  expect(await asked()).toMatchObject(expected);
  expect(await state()).toBe(before);
};

describe('accounts', () => {
  it('are created with the requested values, and may use everything by default', async () => {
    const { json } = await admin('POST', '/accounts', {});
    expect(json).toEqual({
      id: expect.stringMatching(/^acct_[\w-]{22,}$/),
      models: 'all',
      prepaid: false,
      overdraft: '0',
      monthly_tokens: null,
      channels_of: null,
      created_at: expect.any(String),
    });
    const body = {
      id: 'mine',
      models: ['delta-3'],
      prepaid: true,
      overdraft: '2.5',
      monthly_tokens: 5,
      channels_of: json.id,
    };
    expect((await admin('POST', '/accounts', body)).json).toMatchObject(body);
    expect((await admin('GET', '/accounts/mine')).json).toMatchObject(body);
  });

  it('change only in the given fields', async () => {
    await admin('POST', '/accounts', { id: 'changing', models: ['delta-3'], monthly_tokens: 7 });
    expect((await admin('PATCH', '/accounts/changing', { monthly_tokens: null })).json).toMatchObject({
      models: ['delta-3'],
      monthly_tokens: null,
    });
    expect((await admin('PATCH', '/accounts/changing', { models: 'all', prepaid: true })).json).toMatchObject(
      {
        models: 'all',
        prepaid: true,
      },
    );
    expect((await admin('PATCH', '/accounts/changing', {})).json).toMatchObject({ prepaid: true });
  });

  it('are listed in pages', async () => {
    const { json: all } = await admin('GET', '/accounts');
    expect(all.next).toBeNull();
    const seen: string[] = [];
    for (let after = ''; ; ) {
      const { json } = await admin('GET', `/accounts?limit=2${after}`);
      seen.push(...json.data.map(({ id }: { id: string }) => id));
      if (json.next === null) break;
      after = `&after=${json.next}`;
    }
    expect(seen).toEqual(all.data.map(({ id }: { id: string }) => id));
    expect(seen).toEqual(expect.arrayContaining(['acc', 'other']));
  });

  it.for([
    ['?limit=0', 'limit'],
    ['?limit=501', 'limit'],
    ['?limit=x', 'limit'],
    ['?limit=1&limit=2', 'limit'],
    ['?after=%00', 'after'],
    ['?zzz=1', 'zzz'],
  ] as const)('are not listed for the query %s', async ([query, param]) => {
    expect(await admin('GET', `/accounts${query}`)).toMatchObject(refusal(param));
  });

  it.for([
    [{ id: 'acc' }, 'id'],
    [{ id: 'a b' }, 'id'],
    [{ id: '' }, 'id'],
    [{ id: 5 }, 'id'],
    [{ models: [] as string[], zzz: true }, 'zzz'],
    [{ models: 'some' }, 'models'],
    [{ models: ['delta-3', 'no-such-model'] }, 'models[1]'],
    [{ models: [1] }, 'models[0]'],
    [{ prepaid: 'yes' }, 'prepaid'],
    [{ monthly_tokens: -1 }, 'monthly_tokens'],
    [{ monthly_tokens: 1.5 }, 'monthly_tokens'],
    [{ monthly_tokens: 1e30 }, 'monthly_tokens'],
    [{ channels_of: 'nobody' }, 'channels_of'],
  ] as const)('are not created from %j', async ([body, param]) => {
    await refuses(() => admin('POST', '/accounts', body), refusal(param));
  });

  it('are changed whole or not at all', async () => {
    const body = { prepaid: true, monthly_tokens: 1, models: ['delta-3', 'no-such-model'] };
    await refuses(() => admin('PATCH', '/accounts/acc', body), refusal('models[1]'));
    await refuses(() => admin('PATCH', '/accounts/acc', { id: 'new' }), refusal('id'));
    await refuses(() => admin('PATCH', '/accounts/acc', '[1]'), refusal(null));
    await refuses(() => admin('PATCH', '/accounts/acc', '{'), refusal(null));
  });

  it('affect requests as soon as they are changed', async () => {
    expect(await ask(testKey)).toBe('ok');
    await admin('PATCH', '/accounts/acc', { models: ['alpha-5-2'] });
    expect(await ask(testKey)).toBe('model_not_found');
    await admin('PATCH', '/accounts/acc', { models: 'all', monthly_tokens: 0 });
    expect(await ask(testKey)).toBe('quota_exceeded');
    await admin('PATCH', '/accounts/acc', { monthly_tokens: null, prepaid: true });
    expect(await ask(testKey)).toBe('quota_exceeded');
    await admin('PATCH', '/accounts/acc', { prepaid: false });
    expect(await ask(testKey)).toBe('ok');
  });
});

describe('users', () => {
  it('have a cap of three by default', async () => {
    const { json } = await admin('POST', '/accounts/acc/users', {});
    expect(json).toEqual({ id: expect.stringMatching(/^user_/), account_id: 'acc', cap: 3 });
    await admin('POST', '/accounts/acc/users', { id: 'u-7', cap: 7 });
    expect((await admin('PATCH', '/users/u-7', { cap: 8 })).json.cap).toBe(8);
    const { json: list } = await admin('GET', '/accounts/acc/users');
    expect(list.data).toEqual(expect.arrayContaining([{ id: 'u-7', account_id: 'acc', cap: 8 }]));
    expect(list.data.every((row: { account_id: string }) => row.account_id === 'acc')).toBe(true);
  });

  it.for([0, -1, 1.5, '3', 1e9, null])('cannot have a cap of %j', async (cap) => {
    await refuses(() => admin('POST', '/accounts/acc/users', { cap }), refusal('cap'));
    await refuses(() => admin('PATCH', '/users/usr', { cap }), refusal('cap'));
  });

  it('have ids that are unique over all accounts', async () => {
    await refuses(() => admin('POST', '/accounts/acc/users', { id: 'other-usr' }), refusal('id'));
  });

  it('get a changed cap at once', async () => {
    await admin('PATCH', '/users/usr', { cap: 5 });
    expect(gateway.app.keys.find(testKey)?.record.cap).toBe(5);
    await admin('PATCH', '/users/usr', { cap: 3 });
  });
});

describe('apps', () => {
  it('have a markup, and can have others for single models', async () => {
    const body = { id: 'a-1', markup_bp: 250, model_markup_bp: { 'delta-3': -10_000 } };
    expect((await admin('POST', '/accounts/acc/apps', body)).json).toEqual({ ...body, account_id: 'acc' });
    expect((await admin('PATCH', '/apps/a-1', { markup_bp: -5 })).json).toMatchObject({
      markup_bp: -5,
      model_markup_bp: { 'delta-3': -10_000 },
    });
    expect((await admin('PATCH', '/apps/a-1', { model_markup_bp: {} })).json.model_markup_bp).toEqual({});
    const { json } = await admin('GET', '/accounts/acc/apps');
    expect(json.data.map(({ id }: { id: string }) => id)).toEqual(['a-1', 'app']);
    expect((await admin('POST', '/accounts/acc/apps', {})).json).toMatchObject({ markup_bp: 0 });
  });

  it.for([
    [{ markup_bp: -10_001 }, 'markup_bp'],
    [{ markup_bp: 1.5 }, 'markup_bp'],
    [{ markup_bp: '5' }, 'markup_bp'],
    [{ model_markup_bp: { 'no-such-model': 5 } }, 'model_markup_bp.no-such-model'],
    [{ model_markup_bp: { 'delta-3': 'x' } }, 'model_markup_bp.delta-3'],
    [{ model_markup_bp: [] as number[] }, 'model_markup_bp'],
    [{ markup: 1 }, 'markup'],
  ] as const)('reject the pricing %j', async ([body, param]) => {
    await refuses(() => admin('POST', '/accounts/acc/apps', body), refusal(param));
    await refuses(() => admin('PATCH', '/apps/app', body), refusal(param));
  });

  it('apply a new markup to the next request', async () => {
    await admin('PATCH', '/apps/app', { markup_bp: 1234 });
    await ask(testKey);
    const prices = await gateway.store.db
      .selectFrom('usage_records')
      .select('price')
      .orderBy('ended_at', 'desc')
      .limit(1)
      .execute();
    expect(prices[0]?.price?.markup_bp).toBe(1234);
  });
});

it.for([
  ['GET', '/accounts/nobody'],
  ['PATCH', '/accounts/nobody'],
  ['GET', '/accounts/nobody/users'],
  ['POST', '/accounts/nobody/users'],
  ['GET', '/accounts/nobody/apps'],
  ['POST', '/accounts/nobody/apps'],
  ['PATCH', '/users/nobody'],
  ['PATCH', '/apps/nobody'],
  ['PATCH', '/accounts/%00'],
] as const)('%s %s is not found', async ([method, path]) => {
  const body = method === 'GET' ? undefined : {};
  await refuses(() => admin(method, path, body), { status: 404, json: { error: { code: 'not_found' } } });
});
