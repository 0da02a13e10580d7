import { afterAll, beforeAll, expect, it } from 'vitest';
import { mediaBody } from '../../testing/media-bodies.ts';
import {
  adminToken,
  startTestGateway,
  type TestGateway,
  testConfig,
  testKey,
} from '../../testing/test-gateway.ts';
import { type Answer, read } from '../../testing/wire.ts';

let gateway: TestGateway;
const ids: string[] = [];
beforeAll(async () => {
  gateway = await startTestGateway(testConfig('http://127.0.0.1:9'));
  for (let i = 0; i < 5; i += 1) ids.push((await gateway.submit(mediaBody('vidB2'))).json.task_id);
  for (const [i, id] of ids.entries()) gateway.tasks.change(id, { submittedAtMs: 1_000 * i });
});
afterAll(() => gateway.close());

const admin = (path: string): Promise<Answer> =>
  read(`${gateway.url}/api/admin/tasks${path}`, { key: adminToken });
const idsOf = (answer: Answer): string[] => answer.json.data.map((task: { task_id: string }) => task.task_id);

it('shows administrators everything about a task except its input', async () => {
  const [id = ''] = ids;
  const { status, json, text } = await admin(`/${id}`);
  expect(status).toBe(200);
  expect(json).toEqual({
    task_id: id,
    request_id: expect.stringMatching(/^req_/),
    account_id: 'acc',
    user_id: 'usr',
    app_id: 'app',
    key_id: 'key-1',
    status: 'QUEUED',
    model: 'vidB2',
    medium: 'video',
    parents: [],
    webhook_url: null,
    channel_id: null,
    native_id: null,
    start_tries: 0,
    poll_tries: 0,
    submit_time: '1970-01-01T00:00:00.000Z',
    deadline: expect.any(String),
    ended_at: null,
    result_urls: null,
    duration_sec: null,
    error: null,
  });
  expect(text).not.toContain('quiet sea');
});

it('lists tasks in pages, newest first', async () => {
  const first = await admin('?limit=2');
  expect(idsOf(first)).toEqual([ids[4], ids[3]]);
  const second = await admin(`?limit=2&after=${first.json.next}`);
  expect(idsOf(second)).toEqual([ids[2], ids[1]]);
  const third = await admin(`?limit=2&after=${second.json.next}`);
  expect([idsOf(third), third.json.next]).toEqual([[ids[0]], null]);
});

it('filters tasks by account and status', async () => {
  gateway.tasks.end(ids[1] ?? '', { status: 'EXPIRED' });
  expect(idsOf(await admin('?account_id=acc&status=EXPIRED'))).toEqual([ids[1]]);
  expect(idsOf(await admin('?status=RUNNING'))).toEqual([]);
  expect(idsOf(await admin('?account_id=other'))).toEqual([]);
});

it.for<[string, string]>([
  ['?status=queued', 'status'],
  ['?account_id=%00', 'account_id'],
  ['?after=yesterday', 'after'],
  ['?after=5.x', 'after'],
  ['?colour=red', 'colour'],
])('refuses the query %s', async ([query, param]) => {
  const { status, json } = await admin(query);
  expect([status, json.error.code, json.error.param]).toEqual([400, 'invalid_param', param]);
});

it('answers 404 for unknown ids, and rejects other keys', async () => {
  for (const id of ['task_unknown', 'x', '%00']) expect((await admin(`/${id}`)).status).toBe(404);
  const { status, json } = await read(`${gateway.url}/api/admin/tasks`, { key: testKey });
  expect([status, json.error.code]).toEqual([401, 'admin_token_required']);
});
