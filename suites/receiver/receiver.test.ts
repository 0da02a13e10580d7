import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Agent, request } from 'undici';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ReceiverControl } from './client.ts';
import { type RunningReceiver, startReceiver } from './start.ts';

let dir: string;
let receiver: RunningReceiver;
let control: ReceiverControl;
let agent: Agent;
let scopes = 0;

beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), 'receiver-test-'));
  const options = {
    host: '127.0.0.1',
    port: 0,
    hosts: ['loopback.guard.example'],
    dir,
    files: {},
    plain: false,
  };
  receiver = await startReceiver({ ...options, now: () => Date.now() });
  control = new ReceiverControl(receiver.control_url);
  agent = new Agent({ connect: { ca: readFileSync(receiver.ca, 'utf8') } });
});

afterAll(async () => {
  await agent.close();
  await control.close();
  await receiver.close();
  rmSync(dir, { recursive: true });
});

/** A new scope with this plan. */
async function scopeWith(...answers: Parameters<ReceiverControl['plan']>[1]): Promise<string> {
  scopes += 1;
  await control.plan(`in-${scopes}`, answers);
  return `in-${scopes}`;
}

async function post(
  scope: string,
  tail = '',
  base = receiver.url,
): Promise<{ status: number; location: string }> {
  const answer = await request(`${base}/${scope}${tail}`, {
    method: 'POST',
    dispatcher: agent,
    headers: { 'X-Service-Timestamp': '5' },
    body: `{"at":"${tail}"}`,
  });
  await answer.body.dump();
  return { status: answer.statusCode, location: String(answer.headers.location) };
}

it('no web page from elsewhere reads or changes an inbox', async () => {
  const scope = await scopeWith({ status: 204 });
  const call = async (headers: Record<string, string>): Promise<number> => {
    const { statusCode, body } = await request(`${receiver.control_url}/inboxes/${scope}/plan`, {
      method: 'POST',
      headers: { 'content-type': 'text/plain', ...headers },
      body: '{"answers": [{"status": 500}]}',
    });
    await body.dump();
    return statusCode;
  };
  const pages = [{ host: 'rebound.example' }, { origin: 'https://page.example' }];
  expect(await Promise.all(pages.map(call))).toEqual([403, 403]);
  expect((await post(scope)).status).toBe(204);
});

it('an event is recorded as it was sent: method, path with query, headers in their case, bytes of the body', async () => {
  const scope = await scopeWith();
  const before = Date.now();
  expect(await post(scope, '/deeper?x=1&y=%20')).toMatchObject({ status: 200 });
  const { satisfied, events } = await control.events(scope, { count: 1 });
  expect(satisfied).toBe(true);
  const [event] = events;
  expect(event).toMatchObject({
    n: 1,
    via: 'https',
    method: 'POST',
    target: `/${scope}/deeper?x=1&y=%20`,
    cut: false,
    answered: { kind: 'status', status: 200 },
  });
  expect(Buffer.from(event?.body_base64 ?? '', 'base64').toString()).toBe('{"at":"/deeper?x=1&y=%20"}');
  expect(event?.headers).toContainEqual(['X-Service-Timestamp', '5']);
  expect(event?.at_ms).toBeGreaterThanOrEqual(before);
});

it('requests take the answers of the plan in order, and the last one repeats', async () => {
  const scope = await scopeWith(
    { status: 503, headers: { 'retry-after': '7' } },
    { redirect: 'https://elsewhere.example/', status: 307 },
    { status: 410 },
  );
  const answers = [];
  for (let turn = 0; turn < 4; turn += 1) answers.push(await post(scope));
  expect(answers.map(({ status }) => status)).toEqual([503, 307, 410, 410]);
  expect(answers[1]?.location).toBe('https://elsewhere.example/');
  await control.plan(scope, []);
  expect(await post(scope)).toMatchObject({ status: 200 });
});

it('a held request is answered when the inbox is released', async () => {
  const scope = await scopeWith({ hold: true, status: 202 });
  const held = post(scope);
  const { events } = await control.events(scope, { count: 1, waitMs: 5_000 });
  expect(events[0]?.answered).toEqual({ kind: 'held' });
  expect(await control.release(scope)).toBe(1);
  expect(await held).toMatchObject({ status: 202 });
  expect((await control.events(scope)).events[0]?.answered).toMatchObject({ kind: 'status', status: 202 });
});

it('a held request whose client disconnects is no longer held', async () => {
  const scope = await scopeWith({ hold: true });
  const leaving = new AbortController();
  const held = request(`${receiver.url}/${scope}`, {
    method: 'POST',
    dispatcher: agent,
    signal: leaving.signal,
  });
  await control.events(scope, { count: 1, waitMs: 5_000 });
  leaving.abort();
  await expect(held).rejects.toThrow();
  const answered = async () => (await control.events(scope)).events[0]?.answered.kind;
  await expect.poll(answered).toBe('left');
  expect(await control.release(scope)).toBe(0);
});

it('a request can be closed without an answer, or answered late', async () => {
  const scope = await scopeWith({ reset: true }, { status: 200, after_ms: 40 });
  await expect(post(scope)).rejects.toThrow();
  const began = performance.now();
  expect(await post(scope)).toMatchObject({ status: 200 });
  expect(performance.now() - began).toBeGreaterThanOrEqual(39);
  expect((await control.events(scope)).events[0]?.answered).toEqual({ kind: 'reset' });
});

it('an answer can break off behind its head, or never end', async () => {
  const scope = await scopeWith({ status: 200, ends: 'cut' }, { status: 202, ends: 'never' });
  const sent = { method: 'POST', dispatcher: agent } as const;
  const cut = await request(`${receiver.url}/${scope}`, sent);
  await expect(cut.body.text()).rejects.toThrow();
  const open = await request(`${receiver.url}/${scope}`, sent);
  open.body.on('error', () => undefined).destroy();
  const statuses = (await control.events(scope)).events.map(({ answered }) => answered);
  expect(statuses).toMatchObject([
    { kind: 'status', status: 200 },
    { kind: 'status', status: 202 },
  ]);
});

it('a call that waits for events is answered when they arrive, or with fewer when its time is up', async () => {
  const scope = await scopeWith();
  const waiting = control.events(scope, { count: 2, waitMs: 10_000 });
  await post(scope);
  await post(scope);
  expect(await waiting).toMatchObject({ satisfied: true, events: [{ n: 1 }, { n: 2 }] });
  expect(await control.events(scope, { count: 3, waitMs: 20 })).toMatchObject({
    satisfied: false,
    events: [{ n: 1 }, { n: 2 }],
  });
  expect((await control.events(scope, { after: 1 })).events.map(({ n }) => n)).toEqual([2]);
});

it('inboxes are separate, unread requests are answered 200, and requests without an inbox get 404', async () => {
  const [one, other] = [await scopeWith(), await scopeWith({ status: 500 })];
  await post(one);
  await post(other);
  expect((await control.events(one)).events).toHaveLength(1);
  expect(await post('unread', '/x')).toMatchObject({ status: 200 });
  expect(await post('nobody')).toMatchObject({ status: 404 });
  expect(await post(`prefix/of/a/tunnel/${one}`)).toMatchObject({ status: 200 });
  expect((await control.events(one)).events).toHaveLength(2);
});

it('a closed inbox answers held requests and later ones', async () => {
  const scope = await scopeWith({ hold: true, status: 202 }, { status: 500 });
  const held = post(scope);
  await control.events(scope, { count: 1, waitMs: 5_000 });
  await control.closeInbox(scope);
  expect((await held).status).toBe(202);
  expect((await post(scope)).status).toBe(200);
  expect((await control.events(scope)).events).toEqual([]);
});

it('the canary counts connections and records their requests, with and without TLS', async () => {
  const scope = await scopeWith({ status: 500 });
  const { canary: before } = await control.connections();
  expect(await post(scope, '/a', receiver.canary_url)).toMatchObject({ status: 200 });
  expect(await post(scope, '/b', receiver.canary_url.replace('https', 'http'))).toMatchObject({
    status: 200,
  });
  const { events } = await control.events(scope);
  expect(events.map(({ via }) => via)).toEqual(['canary-https', 'canary-http']);
  await new Promise<void>((resolve) => {
    const socket = connect(Number(new URL(receiver.canary_url).port), '127.0.0.1', () => {
      socket.destroy();
      resolve();
    });
  });
  await expect.poll(async () => (await control.connections()).canary).toBe(before + 3);
  // A request that belongs to no inbox must not use up an answer that is planned for an event.
  expect(await post(scope)).toMatchObject({ status: 500 });
});

it('only their owner can read keys, and clients reject the certificate without the authority', async () => {
  expect(statSync(receiver.key).mode & 0o777).toBe(0o600);
  await expect(request(receiver.url)).rejects.toThrow(/certificate/);
  expect((await control.health()).ca_pem).toBe(readFileSync(receiver.ca, 'utf8'));
});

it.for([
  ['not JSON', '{', 'must be JSON'],
  ['no list', '{"answers":5}', 'answers must be a list'],
  ['a wrong status', '{"answers":[{"status":99}]}', 'answers.0.status'],
  ['a wrong redirect', '{"answers":[{"redirect":"x","status":200}]}', 'answers.0.status'],
] as const)('a plan with %s is refused with an error of one sentence', async ([, body, sentence]) => {
  const answer = await request(`${receiver.control_url}/inboxes/x/plan`, { method: 'POST', body });
  expect(answer.statusCode).toBe(400);
  expect(await answer.body.text()).toContain(sentence);
});

it('beyond loopback its control API wants a token, and then any name of its host does', async () => {
  const token = 'a-token-of-sixteen';
  const folder = mkdtempSync(join(tmpdir(), 'receiver-test-'));
  const remote = await startReceiver({
    ...{ host: '127.0.0.1', port: 0, hosts: [], dir: folder, files: {}, plain: false, now: () => Date.now() },
    control: { host: '127.0.0.1', port: 0, token },
  });
  const ask = async (authorization: string): Promise<number> => {
    const headers = { host: 'receiver.example:9403', authorization };
    const { statusCode, body } = await request(`${remote.control_url}/health`, { headers });
    await body.dump();
    return statusCode;
  };
  const known = new ReceiverControl(remote.control_url, token);
  try {
    expect(await Promise.all(['', 'Bearer ', `Bearer ${token}x`, `Bearer ${token}`].map(ask))).toEqual([
      401, 401, 401, 200,
    ]);
    expect((await known.health()).url).toBe(remote.url);
    await known.plan('in-remote', []);
    await expect(new ReceiverControl(remote.control_url).health()).rejects.toThrow('HTTP 401');
  } finally {
    await known.close();
    await remote.close();
    rmSync(folder, { recursive: true });
  }
});
