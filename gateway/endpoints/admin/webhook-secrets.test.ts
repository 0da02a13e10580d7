import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { adminClient } from '../../testing/admin-client.ts';
import { report, sendCallback } from '../../testing/callback-sender.ts';
import { studioAt } from '../../testing/channels.ts';
import { type FakeUpstream, startFakeUpstream } from '../../testing/fake-upstream.ts';
import { mediaBody } from '../../testing/media-bodies.ts';
import { playRecords } from '../../testing/native-jobs.ts';
import { startTaskGateway, type TaskGateway } from '../../testing/running-tasks.ts';
import { type StartedWebhooks, startWebhooks } from '../../testing/started-webhooks.ts';
import { testConfig } from '../../testing/test-gateway.ts';
import {
  type ReceivedEvent,
  startWebhookReceiver,
  status,
  type WebhookReceiver,
} from '../../testing/webhook-receiver.ts';
import type { Answer } from '../../testing/wire.ts';

const secrets = '/accounts/acc/webhook-secrets';

let upstream: FakeUpstream;
let receiver: WebhookReceiver;
let gateway: TaskGateway;
let webhooks: StartedWebhooks;
let admin: ReturnType<typeof adminClient>;
beforeAll(async () => {
  [upstream, receiver] = await Promise.all([startFakeUpstream(), startWebhookReceiver()]);
  const allowed = [receiver.host];
  const config = testConfig('', {
    channels: [studioAt(upstream.url)],
    test: { allowed_hosts: allowed, token: 'token' },
  });
  gateway = await startTaskGateway(config, (store, clock) => {
    webhooks = startWebhooks(store, { clock, allowed, ca: receiver.ca });
    return webhooks;
  });
  admin = adminClient(gateway.url);
});
afterAll(async () => {
  await gateway.close();
  await Promise.all([upstream.close(), receiver.close()]);
});

const rotate = (body: object = {}): Promise<Answer> => admin('POST', secrets, body);
const refusal = ({ status: code, json }: Answer): unknown[] => [code, json.error.code, json.error.param];
const isSignedWith = (secret: string, { text, headers }: ReceivedEvent): boolean => {
  const sent = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));
  try {
    new Webhook(secret).verify(text, sent);
    return true;
  } catch {
    return false;
  }
};
/** Runs a task until its upstream reports a failure; returns the task and its event. */
async function endedTask(): Promise<{ task: string; event: string }> {
  const native = playRecords(upstream);
  const body = { ...mediaBody('voice-v3'), webhook_url: `${receiver.url}/ended` };
  const task = (await gateway.submit(body)).json.task_id;
  await gateway.until(task, 'RUNNING');
  const job = native.made[0]?.id ?? '';
  native.records.set(job, { status: 'GENERATE_FAILED' });
  await sendCallback(gateway.url, () => gateway.clock.now(), { body: report(job, 'error') });
  await gateway.until(task, 'FAILED');
  const [{ event_id }] = (await admin('GET', `/webhooks?task_id=${task}`)).json.data;
  return { task, event: event_id };
}

describe('webhook secrets', () => {
  it('are shown only once, when they are created', async () => {
    const { json } = await rotate();
    expect(json).toMatchObject({ account_id: 'acc', ends_at: null });
    expect([json.secret.slice(0, 6), json.secret.slice(-4)]).toEqual(['whsec_', json.last4]);
    const { text, json: shown } = await admin('GET', secrets);
    const { secret, ...rest } = json;
    expect(shown).toEqual({ data: [rest], next: null });
    expect(text).not.toContain(secret.slice(6));
    expect(JSON.stringify(gateway.logLines)).not.toContain(secret.slice(6));
  });

  it('keep signing after a new one, for the requested or configured time', async () => {
    const before = gateway.clock.now();
    const { id } = (await rotate({ overlap_ms: 0 })).json;
    expect((await admin('GET', secrets)).json.data).toHaveLength(1);
    await rotate();
    const [current, last, ...others] = (await admin('GET', secrets)).json.data;
    expect([current.ends_at, last.id, others]).toEqual([null, id, []]);
    expect(Date.parse(last.ends_at) - before).toBeGreaterThanOrEqual(24 * 3_600_000);
  });

  it('can be ended at once, except the current one', async () => {
    const [current, last] = (await admin('GET', secrets)).json.data;
    const { status, json } = await admin('DELETE', `${secrets}/${last.id}`);
    expect([status, json]).toEqual([200, { id: last.id, deleted: true }]);
    expect(refusal(await admin('DELETE', `${secrets}/${last.id}`))).toEqual([404, 'not_found', null]);
    const refused = await admin('DELETE', `${secrets}/${current.id}`);
    expect(refusal(refused)).toEqual([400, 'invalid_param', 'secret']);
    expect((await admin('GET', secrets)).json.data[0].id).toBe(current.id);
  });

  it.for([{ overlap_ms: -1 }, { overlap_ms: 0.5 }, { overlap_ms: '5' }, { overlap_ms: 31 * 86_400_000 }])(
    'are not made with %j',
    async (body) => {
      expect(refusal(await rotate(body))).toEqual([400, 'invalid_param', 'overlap_ms']);
    },
  );

  it('exist only for known accounts', async () => {
    for (const answer of [
      await admin('GET', '/accounts/nobody/webhook-secrets'),
      await admin('POST', '/accounts/nobody/webhook-secrets', {}),
      await admin('DELETE', '/accounts/nobody/webhook-secrets/whs_1'),
      await admin('DELETE', '/accounts/other/webhook-secrets/whs_1'),
    ])
      expect(refusal(answer)).toEqual([404, 'not_found', null]);
  });

  it('are in plain text neither in the log nor in the database', async () => {
    const { secret } = (await rotate()).json;
    const rows = await gateway.store.db.selectFrom('webhook_secrets').selectAll().execute();
    expect(rows.length).toBeGreaterThan(0);
    const kept = JSON.stringify([rows, gateway.logLines]);
    const bytes = Buffer.from(secret.slice(6), 'base64');
    for (const text of [secret.slice(6), bytes.toString('hex'), bytes.toString('latin1')])
      expect(kept).not.toContain(text);
  });
});

it('shows the attempts of an event, and redelivers it signed with the current secrets', async () => {
  const first = (await admin('POST', secrets, {})).json;
  receiver.queue.push(status(500));
  const { task, event } = await endedTask();
  await receiver.waitFor(1);
  await webhooks.idle(2_000);
  const failed = (await admin('GET', `/webhooks/${event}`)).json;
  expect(failed).toMatchObject({
    task_id: task,
    account_id: 'acc',
    type: 'task.failed',
    state: 'pending',
    log: [{ n: 1, status: 500, failure: 'status', manual: false }],
  });
  expect(JSON.parse(failed.body).data).toEqual((await gateway.readTask(task)).json);

  const second = (await admin('POST', secrets, { overlap_ms: 60_000 })).json;
  await admin('POST', `/webhooks/${event}/redeliver`);
  await receiver.waitFor(2);
  await webhooks.idle(2_000);
  expect((await admin('GET', `/webhooks/${event}`)).json).toMatchObject({
    state: 'delivered',
    attempts: 2,
    next_attempt_at: null,
    log: [{ n: 1 }, { n: 2, status: 200, failure: null, manual: true }],
  });

  await admin('DELETE', `${secrets}/${first.id}`);
  await admin('POST', `/webhooks/${event}/redeliver`);
  await receiver.waitFor(3);
  await webhooks.idle(2_000);
  const { events } = receiver;
  expect(events.map(({ headers, text }) => [headers['webhook-id'], text])).toEqual(
    events.map(() => [event, failed.body]),
  );
  expect(events.map((one) => [first, second].map(({ secret }) => isSignedWith(secret, one)))).toEqual([
    [true, false],
    [true, true],
    [false, true],
  ]);
});
