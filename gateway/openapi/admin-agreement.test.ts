import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expectAgreement } from '../testing/document-agreement.ts';
import { type FakeUpstream, startFakeUpstream } from '../testing/fake-upstream.ts';
import { fits } from '../testing/json-schema.ts';
import { mediaBody } from '../testing/media-bodies.ts';
import { PRICES, type StoredGateway, startStoredGateway } from '../testing/stored-gateway.ts';
import { ADMIN_TOKEN, testConfig } from '../testing/test-gateway.ts';
import { type Answer, type Question, read } from '../testing/wire.ts';

// biome-ignore lint/suspicious/noExplicitAny: the tests look at arbitrary members of the document.
type Json = any;

let upstream: FakeUpstream;
let gateway: StoredGateway;
let document: Json;
beforeAll(async () => {
  upstream = await startFakeUpstream();
  gateway = await startStoredGateway(testConfig(upstream.url, { prices: PRICES }));
  document = (await read(`${gateway.url}/api/admin/openapi.json`, { key: ADMIN_TOKEN })).json;
});
afterAll(async () => {
  await gateway.close();
  await upstream.close();
});

describe('the paths of the administrators', () => {
  /** Calls an operation of the document and compares what it was sent and what it answered with what the document says. */
  async function call(operation: string, names: Record<string, string> = {}, body?: object): Promise<Answer> {
    const [method = '', template = ''] = operation.split(' ');
    const path = template.replaceAll(/\{(\w+)\}/g, (_match, name: string) => names[name] ?? '');
    const described = document.paths[template][method.toLowerCase()];
    const question: Question = {
      method: method as 'GET',
      key: ADMIN_TOKEN,
      ...(body !== undefined && { body }),
    };
    const answer = await read(`${gateway.url}${path}`, question);
    if (body !== undefined)
      expectAgreement(document, described.requestBody.content['application/json'].schema, body, answer);
    const { schema } = described.responses[answer.status].content['application/json'];
    expect([answer.json, fits(schema, answer.json, document)]).toEqual([answer.json, true]);
    touched.add(operation);
    return answer;
  }
  const touched = new Set<string>();
  const ADMIN = '/api/admin';
  const OWN = { account: 'new-1', user: 'u-1', app: 'a-1', key: 'k-1', model: 'delta-3', channel: 'ch-1' };

  it('take and answer what it says, every one of them', async () => {
    await call(`POST ${ADMIN}/accounts`, {}, { id: 'new-1', models: ['delta-3'], monthly_tokens: 5 });
    await call(`GET ${ADMIN}/accounts`);
    await call(`GET ${ADMIN}/accounts/{account}`, OWN);
    await call(`PATCH ${ADMIN}/accounts/{account}`, OWN, {
      models: 'all',
      prepaid: true,
      monthly_tokens: null,
    });
    await call(`POST ${ADMIN}/accounts/{account}/users`, OWN, { id: 'u-1' });
    await call(`GET ${ADMIN}/accounts/{account}/users`, OWN);
    await call(`PATCH ${ADMIN}/users/{user}`, OWN, { cap: 7 });
    await call(`POST ${ADMIN}/accounts/{account}/apps`, OWN, {
      id: 'a-1',
      model_markup_bp: { 'delta-3': -5 },
    });
    await call(`GET ${ADMIN}/accounts/{account}/apps`, OWN);
    await call(`PATCH ${ADMIN}/apps/{app}`, OWN, { markup_bp: 250 });
    const key = {
      id: 'k-1',
      user_id: 'u-1',
      app_id: 'a-1',
      expires_at: '2099-01-01T00:00:00Z',
      allow: ['::1/128'],
    };
    await call(`POST ${ADMIN}/accounts/{account}/keys`, OWN, key);
    await call(`GET ${ADMIN}/accounts/{account}/keys`, OWN);
    await call(`PATCH ${ADMIN}/keys/{key}`, OWN, { disabled: true, expires_at: null });
    await call(`DELETE ${ADMIN}/keys/{key}`, OWN);
    await call(`POST ${ADMIN}/accounts/{account}/grants`, OWN, { amount: '2.50', note: 'welcome' });
    await call(`POST ${ADMIN}/accounts/{account}/corrections`, OWN, { amount: '-0.5', note: 'sorry' });
    await call(`GET ${ADMIN}/accounts/{account}/balance`, OWN);
    await call(`GET ${ADMIN}/accounts/{account}/ledger`, OWN);
    await gateway.chat({
      model: 'delta-3',
      messages: [{ role: 'user', content: 'hi' }],
      metadata: { a: 'b' },
    });
    await call(`GET ${ADMIN}/usage`);
    await call(`GET ${ADMIN}/prices`);
    await call(`PUT ${ADMIN}/prices/{model}`, OWN, { input: '0.123456', output: '10', cached_percent: 5 });
    await call(`DELETE ${ADMIN}/prices/{model}`, OWN);
    await call(`GET ${ADMIN}/channels`);
    await call(`POST ${ADMIN}/channels/{channel}/drain`, OWN);
    await call(`POST ${ADMIN}/channels/{channel}/restore`, OWN);
    await call(`GET ${ADMIN}/slots`);
    const task = (await gateway.submit(mediaBody('vidB2'))).json.task_id;
    await call(`GET ${ADMIN}/tasks`);
    await call(`GET ${ADMIN}/tasks/{task}`, { task });
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
    await call(`GET ${ADMIN}/webhooks`);
    await call(`GET ${ADMIN}/webhooks/{event}`, { event });
    await call(`POST ${ADMIN}/webhooks/{event}/redeliver`, { event });
    const secrets = `${ADMIN}/accounts/{account}/webhook-secrets`;
    const { id: secret } = (await call(`POST ${secrets}`, OWN, {})).json;
    await call(`POST ${secrets}`, OWN, { overlap_ms: 60_000 });
    await call(`GET ${secrets}`, OWN);
    await call(`DELETE ${secrets}/{secret}`, { ...OWN, secret });
    await call(`GET ${ADMIN}/openapi.json`);
    const described = Object.entries<Json>(document.paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    );
    expect([...touched].toSorted()).toEqual(described.filter((name) => name.includes(ADMIN)).toSorted());
  });

  it.for<[string, object]>([
    [`POST ${ADMIN}/accounts`, { colour: 'red' }],
    [`POST ${ADMIN}/accounts`, { id: 'no spaces' }],
    [`POST ${ADMIN}/accounts`, { monthly_tokens: -1 }],
    [`PATCH ${ADMIN}/users/{user}`, { cap: 0 }],
    [`PATCH ${ADMIN}/apps/{app}`, { markup_bp: 0.5 }],
    [`POST ${ADMIN}/accounts/{account}/keys`, { user_id: 'u-1' }],
    [`POST ${ADMIN}/accounts/{account}/keys`, { user_id: 'u-1', app_id: 'a-1', expires_at: 'soon' }],
    [`POST ${ADMIN}/accounts/{account}/grants`, { amount: '-1' }],
    [`POST ${ADMIN}/accounts/{account}/grants`, { amount: 1 }],
    [`POST ${ADMIN}/accounts/{account}/corrections`, { amount: '1' }],
    [`POST ${ADMIN}/accounts/{account}/webhook-secrets`, { overlap_ms: -1 }],
    [`POST ${ADMIN}/accounts/{account}/webhook-secrets`, { overlap_ms: 2_592_000_001 }],
    [`POST ${ADMIN}/accounts/{account}/webhook-secrets`, { secret: 'whsec_x' }],
    [`PUT ${ADMIN}/prices/{model}`, { input: '0.1234567', output: '1' }],
    [`PUT ${ADMIN}/prices/{model}`, { input: '1', output: '1', cached_percent: 1001 }],
  ])('refuse at %s what it does not allow: %j', async ([operation, body]) => {
    expect((await call(operation, OWN, body)).status).toBe(400);
  });
});
