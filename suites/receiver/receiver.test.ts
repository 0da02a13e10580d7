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

/** Opens a new scope with this plan. */
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

it('forbids foreign web pages to read or change an inbox', async () => {
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

it('stops holding a request whose client disconnects', async () => {
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

it('separates inboxes, answers unread requests with 200, and requests without an inbox with 404', async () => {
  const [one, other] = [await scopeWith(), await scopeWith({ status: 500 })];
  await post(one);
  await post(other);
  expect((await control.events(one)).events).toHaveLength(1);
  expect(await post('unread', '/x')).toMatchObject({ status: 200 });
  expect(await post('nobody')).toMatchObject({ status: 404 });
  expect(await post(`prefix/of/a/tunnel/${one}`)).toMatchObject({ status: 200 });
  expect((await control.events(one)).events).toHaveLength(2);
});

it('counts connections to the canary and records their requests, with and without TLS', async () => {
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

it('restricts keys to their owner, and uses a certificate that clients reject without the authority', async () => {
  expect(statSync(receiver.key).mode & 0o777).toBe(0o600);
  await expect(request(receiver.url)).rejects.toThrow(/certificate/);
  expect((await control.health()).ca_pem).toBe(readFileSync(receiver.ca, 'utf8'));
});

it.for([
  ['not JSON', '{', 'must be JSON'],
  ['no list', '{"answers":5}', 'answers must be a list'],
  ['a wrong status', '{"answers":[{"status":99}]}', 'answers.0.status'],
  ['a wrong redirect', '{"answers":[{"redirect":"x","status":200}]}', 'answers.0.status'],
] as const)('refuses a plan with %s in one sentence', async ([, body, sentence]) => {
  const answer = await request(`${receiver.control_url}/inboxes/x/plan`, { method: 'POST', body });
  expect(answer.statusCode).toBe(400);
  expect(await answer.body.text()).toContain(sentence);
});

it('requires a token for a remote control API, which then accepts any host name', async () => {
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
