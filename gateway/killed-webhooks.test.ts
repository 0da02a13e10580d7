import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { openStore } from './store/store.ts';
import { type FakeUpstream, startFakeUpstream } from './testing/fake-upstream.ts';
import { type Running, runGateway } from './testing/gateway-process.ts';
import { mediaBody } from './testing/media-bodies.ts';
import { type NativeJobs, playJobs } from './testing/native-jobs.ts';
import { file, mp4 } from './testing/native-media.ts';
import { sized } from './testing/sized.ts';
import {
  type FreshPlace,
  type StorePlace,
  server,
  silentLog,
  storeKinds,
} from './testing/store/test-stores.ts';
import { testConfig, testKey } from './testing/test-gateway.ts';
import {
  type ReceivedEvent,
  startWebhookReceiver,
  status,
  type WebhookReceiver,
} from './testing/webhook-receiver.ts';
import { read } from './testing/wire.ts';

const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
/** How often the process is killed, over how many tasks. */
const kills = sized(2, 40);
const tasks = sized(12, 400);
const clients = 4;

let upstream: FakeUpstream;
let native: NativeJobs;
let directory: string;
const started: Running[] = [];
beforeAll(async () => {
  upstream = await startFakeUpstream();
  native = playJobs(upstream);
  native.files.set('made', file(mp4));
  native.record = {
    status: 'completed',
    output: [{ url: `${upstream.url}/files/made`, duration_seconds: 8 }],
  };
  directory = mkdtempSync(join(tmpdir(), 'gateway-webhooks-'));
});
afterAll(async () => {
  for (const gateway of started) gateway.stop('SIGKILL');
  await upstream.close();
  rmSync(directory, { recursive: true });
});

function writeConfig(place: StorePlace, receiver: WebhookReceiver): string {
  const [account] = testConfig(upstream.url).accounts;
  const ca = join(directory, 'ca.pem');
  writeFileSync(ca, receiver.ca);
  const path = join(directory, 'gateway.yaml');
  const config = {
    listen: {},
    store: 'url' in place ? { url: place.url } : { data_dir: place.dataDir },
    key_pepper: 'a pepper for tests',
    media: { dir: join(directory, 'media') },
    prices: { vidB2: { per_second: '0.05' } },
    tasks: { poll_ms: 20, poll_most_ms: 100, start_again_ms: 20 },
    webhooks: { ca, schedule_ms: [0, 50, 50, 50, 50, 50], retry_after_most_ms: 50 },
    // On a server the slots of a killed process lapse after a while: there are enough for all of them.
    accounts: [{ ...account, webhook_secret: secret, users: [{ id: 'usr', cap: 1_000 }] }],
    channels: [
      {
        id: 'video',
        dialect: 'jobs',
        base_url: `${upstream.url}/v1`,
        api_key: 'upstream-secret',
        models: { vidB2: 'native-vidB2' },
      },
    ],
    test: { allowed_hosts: [receiver.host], token: 'token' },
  };
  writeFileSync(path, stringify(config));
  return path;
}

async function start(config: string): Promise<Running> {
  const gateway = await runGateway(['--config', config]);
  started.push(gateway);
  if (gateway.url === '') throw new Error((await gateway.exit).errors);
  return gateway;
}

/** The id of a task that was taken on; null when the process did not answer. */
async function submit({ url }: Running, webhook_url: string): Promise<string | null> {
  const body = mediaBody('vidB2', { webhook_url });
  const answer = await read(`${url}/api/v1/tasks`, { method: 'POST', key: testKey, body }).catch(() => null);
  return answer?.status === 200 ? answer.json.task_id : null;
}

async function events(place: StorePlace): Promise<{ task_id: string; state: string; tries: bigint }[]> {
  const store = await openStore({ ...place, log: silentLog });
  const { rows } = await sql<{ task_id: string; state: string; tries: bigint }>`
    select t.id as task_id, e.state, (select count(*) from webhook_attempts a where a.event_id = e.id) as tries
    from tasks t left join webhook_events e on e.task_id = t.id order by t.id`.execute(store.db);
  const dump = await sql`select * from webhook_secrets`.execute(store.db);
  // Nobody who sees the database sees what is signed with.
  expect(JSON.stringify(dump.rows)).not.toContain(secret.slice(6, 30));
  await store.close();
  return rows;
}

// Usually on the last of them alone: a server where there is one.
describe.each(storeKinds.slice(sized(-1, 0)))('a gateway on a store of kind $name', ({ fresh }) => {
  let place: FreshPlace;
  let receiver: WebhookReceiver;
  let config: string;
  let gateway: Running;
  beforeAll(async () => {
    place = await fresh();
    receiver = await startWebhookReceiver();
    config = writeConfig(place.place, receiver);
    gateway = await start(config);
  });
  afterAll(async () => {
    await receiver.close();
    await place.remove();
  });

  it('sends what a task reads as from its end on, signed so that another library takes it', async () => {
    const id = await submit(gateway, `${receiver.url}/hook/a%20b?x=1&y=%2F`);
    await receiver.waitFor(1);
    const { json: task } = await read(`${gateway.url}/api/v1/tasks/${id}`, { key: testKey });
    expect(task.status).toBe('SUCCESS');
    const [event] = receiver.events;
    expect(event?.body).toEqual({ type: 'task.success', timestamp: expect.any(String), data: task });
    expect(event?.path).toBe('/hook/a%20b?x=1&y=%2F');
    expect(event?.headers['x-service-timestamp']).toBe(event?.headers['webhook-timestamp']);
    const headers = Object.fromEntries(
      Object.entries(event?.headers ?? {}).map(([name, value]) => [name, String(value)]),
    );
    expect(new Webhook(secret).verify(event?.text ?? '', headers)).toEqual(event?.body);
    expect(receiver.events).toHaveLength(1);
  });

  it('loses no event and repeats each at most once a kill, however often it is killed', {
    timeout: 60_000 + kills * 20_000,
  }, async () => {
    receiver.events.length = 0;
    const acknowledged: string[] = [];
    let left = Number.POSITIVE_INFINITY;
    /** Which of the processes sent an event. */
    const sentBy = new Map<ReceivedEvent, number>();
    let nth = 0;
    // Now before it answers, now after that, the process that sent it dies.
    receiver.fallback = (response, event) => {
      left -= 1;
      sentBy.set(event, nth);
      if (left === 0) gateway.stop('SIGKILL');
      status(receiver.events.length % 5 === 0 ? 503 : 204)(response, event);
      if (left === 1) setImmediate(() => gateway.stop('SIGKILL'));
    };
    const handIn = async (wanted: number): Promise<void> => {
      while (acknowledged.length < wanted) {
        const id = await submit(gateway, receiver.url);
        if (id === null) return;
        acknowledged.push(id);
      }
    };
    for (let kill = 1; kill <= kills; kill += 1) {
      left = 3 + ((kill * 7) % 5);
      const wanted = Math.round((tasks * kill) / kills);
      await Promise.all(Array.from({ length: clients }, () => handIn(wanted)));
      const alarm = setTimeout(() => gateway.stop('SIGKILL'), 2_000);
      await gateway.exit;
      clearTimeout(alarm);
      gateway = await start(config);
      nth = kill;
    }
    left = Number.POSITIVE_INFINITY;
    await handIn(tasks);
    const good = (): Set<string> => new Set(receiver.events.map((event) => event.body.data.task_id));
    while (acknowledged.some((id) => !good().has(id))) await receiver.waitFor(receiver.events.length + 1);
    gateway.stop('SIGTERM');
    const { code, errors } = await gateway.exit;
    expect(code, errors).toBe(0);
    expect(errors).not.toContain('whsec_');
    const said = (await Promise.all(started.map((one) => one.exit))).map((one) => one.errors).join('');
    // Or nothing was at stake when it was killed.
    expect(said).toMatch(/events of (?:the process before|a process that is gone) go on/);
    const byTask = Map.groupBy(receiver.events, (event) => String(event.body.data.task_id));
    const kept = await events(place.place);
    for (const id of acknowledged) {
      const sent = byTask.get(id) ?? [];
      expect(new Set(sent.map((event) => `${event.headers['webhook-id']} ${event.text}`)).size, id).toBe(1);
      const tries = Number(kept.find((event) => event.task_id === id)?.tries);
      // What was sent and not kept as sent is sent again, once for each process that died over it; the last did not.
      const died = new Set(sent.map((event) => sentBy.get(event)).filter((one) => one !== kills));
      expect(sent.length - tries, id).toBeLessThanOrEqual(died.size);
      expect(tries, id).toBeLessThanOrEqual(sent.length);
    }
  });
});

// An embedded store belongs to one process.
describe.skipIf(server.isMissing)('two gateways on one server', () => {
  it('share the events, double none, and one goes on with those of the other when that is killed', {
    timeout: 120_000,
  }, async () => {
    const { place, remove } = await server.fresh();
    const receiver = await startWebhookReceiver();
    const config = writeConfig(place, receiver);
    const [one, two] = [await start(config), await start(config)];
    const ids: string[] = [];
    for (let n = 0; n < 20; n += 1) ids.push((await submit(n % 2 === 0 ? one : two, receiver.url)) ?? '');
    await receiver.waitFor(20);
    expect(receiver.events.map((event) => event.body.data.task_id).sort()).toEqual([...ids].sort());
    receiver.events.length = 0;
    // What the one was sending when it was killed, the other sends.
    receiver.queue.push(() => one.stop('SIGKILL'));
    const last = await submit(one, receiver.url);
    await receiver.waitFor(2);
    expect(receiver.events.map((event) => event.body.data.task_id)).toEqual([last, last]);
    two.stop('SIGTERM');
    expect((await two.exit).code).toBe(0);
    await receiver.close();
    await remove();
  });
});
