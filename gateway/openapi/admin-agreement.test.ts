import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expectAgreement } from '../testing/document-agreement.ts';
import { type FakeUpstream, startFakeUpstream } from '../testing/fake-upstream.ts';
import { fits } from '../testing/json-schema.ts';
import { mediaBody } from '../testing/media-bodies.ts';
import { type StoredGateway, startStoredGateway, testPrices } from '../testing/stored-gateway.ts';
import { adminToken, testConfig } from '../testing/test-gateway.ts';
import { type Answer, type Question, read } from '../testing/wire.ts';

// biome-ignore lint/suspicious/noExplicitAny: the tests look at arbitrary members of the document.
type Json = any;

let upstream: FakeUpstream;
let gateway: StoredGateway;
let document: Json;
beforeAll(async () => {
  upstream = await startFakeUpstream();
  gateway = await startStoredGateway(testConfig(upstream.url, { prices: testPrices }));
  document = (await read(`${gateway.url}/api/admin/openapi.json`, { key: adminToken })).json;
});
afterAll(async () => {
  await gateway.close();
  await upstream.close();
});

describe('the admin paths', () => {
  /** Calls an operation of the document. Compares the request and the answer with the document. */
  async function call(operation: string, names: Record<string, string> = {}, body?: object): Promise<Answer> {
    const [method = '', template = ''] = operation.split(' ');
    const path = template.replaceAll(/\{(\w+)\}/g, (_match, name: string) => names[name] ?? '');
    const described = document.paths[template][method.toLowerCase()];
    const question: Question = {
      method: method as 'GET',
      key: adminToken,
      ...(body !== undefined && { body }),
    };
    const answer = await read(`${gateway.url}${path}`, question);
    if (body !== undefined)
      expectAgreement(document, described.requestBody.content['application/json'].schema, body, answer);
    const { schema } = described.responses[answer.status].content['application/json'];
    expect([answer.json, fits(schema, answer.json, document)]).toEqual([answer.json, true]);
    if (method !== 'GET' && answer.status < 300) expect(await newLines()).toEqual([[method, path]]);
    touched.add(operation);
    return answer;
  }
  let lastLine = 0;
  /** New lines of the audit trail since the last call: method and path. */
  async function newLines(): Promise<[string, string][]> {
    const { json } = await read(`${gateway.url}/api/admin/audit`, { key: adminToken });
    const lines: { id: string; method: string; path: string }[] = json.data;
    const fresh = lines.filter(({ id }) => Number(id) > lastLine);
    lastLine = Math.max(lastLine, ...fresh.map(({ id }) => Number(id)));
    return fresh.map(({ method, path }) => [method, path]);
  }
  const touched = new Set<string>();
  const admin = '/api/admin';
  const own = { account: 'new-1', user: 'u-1', app: 'a-1', key: 'k-1', model: 'delta-3', channel: 'ch-1' };

  it('accept requests and answer as the document says', async () => {
    await call(`POST ${admin}/accounts`, {}, { id: 'new-1', models: ['delta-3'], monthly_tokens: 5 });
    await call(`GET ${admin}/accounts`);
    await call(`GET ${admin}/accounts/{account}`, own);
    await call(`PATCH ${admin}/accounts/{account}`, own, {
      models: 'all',
      prepaid: true,
      monthly_tokens: null,
    });
    await call(`POST ${admin}/accounts/{account}/users`, own, { id: 'u-1' });
    await call(`GET ${admin}/accounts/{account}/users`, own);
    await call(`PATCH ${admin}/users/{user}`, own, { cap: 7 });
    await call(`POST ${admin}/accounts/{account}/apps`, own, {
      id: 'a-1',
      model_markup_bp: { 'delta-3': -5 },
    });
    await call(`GET ${admin}/accounts/{account}/apps`, own);
    await call(`PATCH ${admin}/apps/{app}`, own, { markup_bp: 250 });
    const key = {
      id: 'k-1',
      user_id: 'u-1',
      app_id: 'a-1',
      expires_at: '2099-01-01T00:00:00Z',
      allow: ['::1/128'],
    };
    await call(`POST ${admin}/accounts/{account}/keys`, own, key);
    await call(`GET ${admin}/accounts/{account}/keys`, own);
    await call(`PATCH ${admin}/keys/{key}`, own, { disabled: true, expires_at: null });
    await call(`DELETE ${admin}/keys/{key}`, own);
    await call(`POST ${admin}/accounts/{account}/grants`, own, { amount: '2.50', note: 'welcome' });
    await call(`POST ${admin}/accounts/{account}/corrections`, own, { amount: '-0.5', note: 'sorry' });
    await call(`GET ${admin}/accounts/{account}/balance`, own);
    await call(`GET ${admin}/accounts/{account}/ledger`, own);
    await gateway.chat({
      model: 'delta-3',
      messages: [{ role: 'user', content: 'hi' }],
      metadata: { a: 'b' },
    });
    await call(`GET ${admin}/usage`);
    await call(`GET ${admin}/prices`);
    await call(`PUT ${admin}/prices/{model}`, own, { input: '0.123456', output: '10', cached_percent: 5 });
    await call(`DELETE ${admin}/prices/{model}`, own);
    await call(`GET ${admin}/channels`);
    await call(`POST ${admin}/channels/{channel}/drain`, own);
    await call(`POST ${admin}/channels/{channel}/restore`, own);
    await call(`GET ${admin}/slots`);
    const task = (await gateway.submit(mediaBody('vidB2'))).json.task_id;
    await call(`GET ${admin}/tasks`);
    await call(`GET ${admin}/tasks/{task}`, { task });
    const event = gateway.webhooks.add({
      taskId: task,
      accountId: 'acc',
      type: 'task.failed',
      url: 'https://hooks.example.com/',
      body: '{}',
      atMs: 1,
    });
    const failed = { n: 1, atMs: 1, tookMs: 1, status: 500, failure: 'status', isManual: true } as const;
    gateway.webhooks.attempted(event, failed);
    await call(`GET ${admin}/webhooks`);
    await call(`GET ${admin}/webhooks/{event}`, { event });
    await call(`POST ${admin}/webhooks/{event}/redeliver`, { event });
    const secrets = `${admin}/accounts/{account}/webhook-secrets`;
    const { id: secret } = (await call(`POST ${secrets}`, own, {})).json;
    await call(`POST ${secrets}`, own, { overlap_ms: 60_000 });
    await call(`GET ${secrets}`, own);
    await call(`DELETE ${secrets}/{secret}`, { ...own, secret });
    await call(`GET ${admin}/audit`);
    await call(`GET ${admin}/openapi.json`);
    const described = Object.entries<Json>(document.paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    );
    expect([...touched].toSorted()).toEqual(described.filter((name) => name.includes(admin)).toSorted());
  });

  it.for<[string, object]>([
    [`POST ${admin}/accounts`, { colour: 'red' }],
    [`POST ${admin}/accounts`, { id: 'no spaces' }],
    [`POST ${admin}/accounts`, { monthly_tokens: -1 }],
    [`PATCH ${admin}/users/{user}`, { cap: 0 }],
    [`PATCH ${admin}/apps/{app}`, { markup_bp: 0.5 }],
    [`POST ${admin}/accounts/{account}/keys`, { user_id: 'u-1' }],
    [`POST ${admin}/accounts/{account}/keys`, { user_id: 'u-1', app_id: 'a-1', expires_at: 'soon' }],
    [`POST ${admin}/accounts/{account}/grants`, { amount: '-1' }],
    [`POST ${admin}/accounts/{account}/grants`, { amount: 1 }],
    [`POST ${admin}/accounts/{account}/corrections`, { amount: '1' }],
    [`POST ${admin}/accounts/{account}/webhook-secrets`, { overlap_ms: -1 }],
    [`POST ${admin}/accounts/{account}/webhook-secrets`, { overlap_ms: 2_592_000_001 }],
    [`POST ${admin}/accounts/{account}/webhook-secrets`, { secret: 'whsec_x' }],
    [`PUT ${admin}/prices/{model}`, { input: '0.1234567', output: '1' }],
    [`PUT ${admin}/prices/{model}`, { input: '1', output: '1', cached_percent: 1001 }],
  ])('refuse at %s what it does not allow: %j', async ([operation, body]) => {
    expect((await call(operation, own, body)).status).toBe(400);
  });
});
