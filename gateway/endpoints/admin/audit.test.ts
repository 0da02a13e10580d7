import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { adminClient } from '../../testing/admin-client.ts';
import { type StoredGateway, startStoredGateway } from '../../testing/stored-gateway.ts';
import { testConfig } from '../../testing/test-gateway.ts';

const [opsToken, billingToken] = ['operations', 'of-billing'].map((name) => `token-${name}`.repeat(2)) as [
  string,
  string,
];

let gateway: StoredGateway;
let ops: ReturnType<typeof adminClient>;
let billing: ReturnType<typeof adminClient>;
beforeAll(async () => {
  const tokens = [
    { name: 'ops', token: opsToken },
    { name: 'billing', token: billingToken },
  ];
  gateway = await startStoredGateway(testConfig('http://127.0.0.1:1', { admin: { tokens } }));
  ops = adminClient(gateway.url, opsToken);
  billing = adminClient(gateway.url, billingToken);
});
afterAll(() => gateway.close());

interface Line {
  readonly token: string;
  readonly resource: string;
  readonly resource_id: string | null;
}

const linesOf = async (query = ''): Promise<Line[]> => (await ops('GET', `/audit${query}`)).json.data;

it('records who changed what, when and by which request', async () => {
  const beganMs = gateway.clock.now();
  const made = await ops('POST', '/accounts', { id: 'acme', monthly_tokens: 5 });
  await ops('POST', '/accounts/acme/users', { id: 'acme-user', cap: 2 });
  await ops('POST', '/accounts/acme/apps', { id: 'acme-app' });
  const key = await ops('POST', '/accounts/acme/keys', { user_id: 'acme-user', app_id: 'acme-app' });
  await billing('POST', '/accounts/acme/grants', { amount: '2.50', id: 'invoice-7' });
  await billing('DELETE', `/keys/${key.json.id}`);
  await billing('POST', '/channels/ch-1/drain');
  const lines = await linesOf();
  expect(lines.map(({ token, resource, resource_id }) => [token, resource, resource_id])).toEqual([
    ['billing', 'channels', 'ch-1'],
    ['billing', 'keys', key.json.id],
    ['billing', 'grants', 'invoice-7'],
    ['ops', 'keys', key.json.id],
    ['ops', 'apps', 'acme-app'],
    ['ops', 'users', 'acme-user'],
    ['ops', 'accounts', 'acme'],
  ]);
  expect(lines.at(-1)).toEqual({
    id: expect.any(String),
    at: expect.any(String),
    token: 'ops',
    method: 'POST',
    path: '/api/admin/accounts',
    resource: 'accounts',
    resource_id: 'acme',
    account_id: 'acme',
    request_id: made.headers['x-request-id'],
    changes: { id: 'acme', monthly_tokens: 5 },
    outcome: 'done',
  });
  const { at } = lines.at(-1) as unknown as { at: string };
  expect(Date.parse(at)).toBeGreaterThanOrEqual(beganMs);
  expect(JSON.stringify(lines)).not.toContain(key.json.secret);
});

it('is read in pages, filtered by token, resource and time', async () => {
  const all = await linesOf();
  const first = await ops('GET', '/audit?limit=4');
  const second = await ops('GET', `/audit?limit=4&after=${first.json.next}`);
  expect([...first.json.data, ...second.json.data]).toEqual(all);
  expect(second.json.next).toBeNull();
  const count = async (query: string): Promise<number> => (await linesOf(`?${query}`)).length;
  expect(await count('token=billing')).toBe(3);
  expect(await count('resource=keys')).toBe(2);
  expect(await count('account_id=acme')).toBe(6);
  expect(await count('resource=grants&resource_id=invoice-7')).toBe(1);
  expect(await count(`from=${new Date(gateway.clock.now() + 60_000).toISOString()}`)).toBe(0);
  expect(await count(`to=${new Date(gateway.clock.now() + 60_000).toISOString()}`)).toBe(7);
  expect((await ops('GET', '/audit?after=x')).json.error.param).toBe('after');
});

it('has no line for rejected requests or requests that changed nothing', async () => {
  const before = await linesOf();
  const refusals = [
    await ops('POST', '/accounts', { id: 'acme' }),
    await ops('PATCH', '/accounts/nobody', { prepaid: true }),
    await ops('POST', '/accounts', { colour: 'red' }),
    await ops('POST', '/accounts/acme/grants', { amount: '9', id: 'invoice-7' }),
    await ops('POST', '/accounts/nobody/grants', { amount: '9' }),
    await ops('POST', '/webhooks/evt_none/redeliver'),
    await ops('DELETE', '/accounts/acme/webhook-secrets/none'),
  ];
  expect(refusals.map(({ status }) => status)).toEqual([400, 404, 400, 400, 404, 404, 404]);
  expect((await ops('POST', '/accounts/acme/grants', { amount: '2.50', id: 'invoice-7' })).json.posted).toBe(
    false,
  );
  expect(await linesOf()).toEqual(before);
});

it('keeps neither the line nor the change when one of them fails', async () => {
  const { db } = gateway.store;
  await sql`alter table admin_audit rename to admin_audit_away`.execute(db);
  const answers = [
    await ops('POST', '/accounts', { id: 'unheard' }),
    await ops('POST', '/accounts/acme/grants', { amount: '1', id: 'unheard' }),
  ];
  await sql`alter table admin_audit_away rename to admin_audit`.execute(db);
  expect(answers.map(({ status }) => status)).toEqual([500, 500]);
  expect((await ops('GET', '/accounts/unheard')).status).toBe(404);
  expect((await ops('GET', '/accounts/acme/balance')).json.posted).toBe('2.5');
});
