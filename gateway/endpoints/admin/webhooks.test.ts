import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { adminClient } from '../../testing/admin-client.ts';
import { startTestGateway, type TestGateway, testConfig, testKey } from '../../testing/test-gateway.ts';
import { type Answer, read } from '../../testing/wire.ts';

let gateway: TestGateway;
let admin: ReturnType<typeof adminClient>;
const ids: string[] = [];
beforeAll(async () => {
  gateway = await startTestGateway(testConfig('http://127.0.0.1:9'));
  admin = adminClient(gateway.url);
  for (let i = 0; i < 5; i += 1) {
    const id = gateway.webhooks.add({
      taskId: `task_${i}`,
      accountId: i === 4 ? 'other' : 'acc',
      type: 'task.success',
      url: 'https://hooks.example.com/?token=theirs',
      body: `{"type":"task.success","data":{"task_id":"task_${i}"}}`,
      atMs: 1_000 * i,
    });
    ids.push(id);
  }
});
afterAll(() => gateway.close());

const list = (query = ''): Promise<Answer> => admin('GET', `/webhooks${query}`);
const idsOf = ({ json }: Answer): string[] => json.data.map((event: { event_id: string }) => event.event_id);
const refusal = ({ status, json }: Answer): unknown[] => [status, json.error.code, json.error.param];

describe('webhook events', () => {
  it('are shown with their body and the outcome of each attempt', async () => {
    const [id = ''] = ids;
    const base = { atMs: 5_000, tookMs: 12, isManual: false };
    gateway.webhooks.attempted(id, { ...base, n: 1, status: 503, failure: 'status' });
    gateway.webhooks.attempted(id, { ...base, n: 2, status: null, failure: 'timeout' });
    gateway.webhooks.attempted(id, { ...base, n: 3, status: 204, failure: null, isManual: true });
    gateway.webhooks.change(id, { state: 'delivered', nextAtMs: null, endedAtMs: 6_000 });
    const at = '1970-01-01T00:00:05.000Z';
    expect((await admin('GET', `/webhooks/${id}`)).json).toEqual({
      event_id: id,
      task_id: 'task_0',
      account_id: 'acc',
      type: 'task.success',
      url: 'https://hooks.example.com/?token=theirs',
      state: 'delivered',
      attempts: 3,
      created_at: '1970-01-01T00:00:00.000Z',
      next_attempt_at: null,
      ended_at: '1970-01-01T00:00:06.000Z',
      body: '{"type":"task.success","data":{"task_id":"task_0"}}',
      log: [
        { n: 1, at, took_ms: 12, status: 503, failure: 'status', manual: false },
        { n: 2, at, took_ms: 12, status: null, failure: 'timeout', manual: false },
        { n: 3, at, took_ms: 12, status: 204, failure: null, manual: true },
      ],
    });
  });

  it('are listed in pages, newest first', async () => {
    const first = await list('?limit=2');
    expect(idsOf(first)).toEqual([ids[4], ids[3]]);
    const second = await list(`?limit=2&after=${first.json.next}`);
    expect(idsOf(second)).toEqual([ids[2], ids[1]]);
    const third = await list(`?limit=2&after=${second.json.next}`);
    expect([idsOf(third), third.json.next]).toEqual([[ids[0]], null]);
    expect(first.json.data[0]).not.toHaveProperty('body');
  });

  it('are filtered by account, task and state', async () => {
    expect(idsOf(await list('?account_id=other'))).toEqual([ids[4]]);
    expect(idsOf(await list('?task_id=task_2'))).toEqual([ids[2]]);
    expect(idsOf(await list('?state=delivered&account_id=acc'))).toEqual([ids[0]]);
    expect(idsOf(await list('?task_id=task_2&account_id=other'))).toEqual([]);
  });

  it.for<[string, string]>([
    ['?state=sent', 'state'],
    ['?account_id=%00', 'account_id'],
    ['?task_id=7', 'task_id'],
    ['?after=yesterday', 'after'],
    ['?after=5.task_1', 'after'],
    ['?limit=0', 'limit'],
    ['?colour=red', 'colour'],
  ])('are not listed by %s', async ([query, param]) => {
    expect(refusal(await list(query))).toEqual([400, 'invalid_param', param]);
  });

  it('are redelivered on request, whatever their state', async () => {
    const [id = ''] = ids;
    const { status, json } = await admin('POST', `/webhooks/${id}/redeliver`);
    expect(status).toBe(200);
    expect(json).toMatchObject({ event_id: id, state: 'pending', attempts: 3, ended_at: null });
    expect(Math.abs(Date.parse(json.next_attempt_at) - gateway.clock.now())).toBeLessThan(5_000);
  });

  it('are found only by their own ids, and only by administrators', async () => {
    for (const id of ['evt_unknown', 'task_1', '%00', `evt_${'x'.repeat(200)}`]) {
      expect(refusal(await admin('GET', `/webhooks/${id}`))).toEqual([404, 'not_found', null]);
      expect(refusal(await admin('POST', `/webhooks/${id}/redeliver`))).toEqual([404, 'not_found', null]);
    }
    for (const [method, path] of [
      ['GET', '/webhooks'],
      ['GET', `/webhooks/${ids[0]}`],
      ['POST', `/webhooks/${ids[0]}/redeliver`],
      ['GET', '/accounts/acc/webhook-secrets'],
    ] as const) {
      const answer = await read(`${gateway.url}/api/admin${path}`, { method, key: testKey });
      expect(refusal(answer)).toEqual([401, 'admin_token_required', null]);
    }
  });
});
