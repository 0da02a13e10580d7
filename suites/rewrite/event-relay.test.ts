import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { request as send } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventHeaders } from '../oracle/webhooks/sign.ts';
import { verifySignature } from '../oracle/webhooks/signature.ts';
import { ReceiverControl } from '../receiver/client.ts';
import type { ReceivedRequest } from '../receiver/protocol.ts';
import { type RunningReceiver, startReceiver } from '../receiver/start.ts';
import { type EventRelay, startEventRelay } from './event-relay.ts';
import { startFrontProxy } from './front-proxy.ts';
import type { Mutation } from './mutation.ts';
import { exchange, startOrigin } from './testing/origin.ts';

const secret = `whsec_${Buffer.alloc(32, 1).toString('base64')}`;
const folder = mkdtempSync(join(tmpdir(), 'gatecheck-relay-'));
let receiver: RunningReceiver;
let control: ReceiverControl;
let relay: EventRelay;
let scopes = 0;

beforeAll(async () => {
  receiver = await startReceiver({
    ...{ host: '127.0.0.1', port: 0, hosts: [], dir: folder, files: {}, plain: false, now: Date.now },
  });
  control = new ReceiverControl(receiver.control_url);
  const [key, cert, ca] = [receiver.key, receiver.cert, receiver.ca].map((file) =>
    readFileSync(file, 'utf8'),
  );
  relay = await startEventRelay({ key: key ?? '', cert: cert ?? '' });
  relay.lead({
    receiver: receiver.url,
    plain: receiver.canary_url.replace('https:', 'http:'),
    ca: ca ?? '',
    accounts: [{ keys: ['k1'], secret }],
  });
});

afterAll(async () => {
  await Promise.all([relay.close(), receiver.close(), control.close()]);
  rmSync(folder, { recursive: true });
});

/**
 * A gateway behind the mutation. It returns the request body, and sends its events to the webhook_url in it.
 */
async function behind(mutation: Mutation, more: { key?: string; tail?: string } = {}) {
  scopes += 1;
  const scope = `in-${scopes}`;
  await control.plan(scope, []);
  const got: Record<string, unknown>[] = [];
  const origin = await startOrigin((_, response, body) => {
    got.push(JSON.parse(body.toString()) as Record<string, unknown>);
    response.writeHead(200, { 'content-type': 'application/json' }).end('{"task_id":"task_1"}');
  });
  const front = await startFrontProxy(origin.url, new Map([['a', mutation]]), { relay });
  const wanted = `${receiver.url}/${scope}${more.tail ?? ''}`;
  await exchange(`${front.baseUrlOf('a')}/api/v1/tasks`, {
    method: 'POST',
    headers: [['authorization', `Bearer ${more.key ?? 'k1'}`]],
    body: JSON.stringify({ model: 'm', webhook_url: wanted, 'x-beside': 1.0 }),
  });
  await Promise.all([front.close(), origin.close()]);
  return {
    wanted,
    url: String(got[0]?.webhook_url),
    events: async (count: number) => (await control.events(scope, { count, waitMs: 2_000 })).events,
    scope,
  };
}

async function deliver(
  url: string,
  id = 'evt_1',
  body = '{"type":"task.success","data":{"task_id":"task_1"}}',
) {
  const headers = eventHeaders([secret], { id, timestamp: '1700000000', body: Buffer.from(body) });
  const call = send(url, {
    method: 'POST',
    ca: readFileSync(receiver.ca),
    headers: ['host', new URL(url).host, ...headers.flat()],
    agent: false,
  });
  call.end(body);
  const [response] = (await once(call, 'response')) as [import('node:http').IncomingMessage];
  response.resume();
  return response.statusCode;
}

const verdictOf = (event: ReceivedRequest | undefined) =>
  verifySignature({ headers: event?.headers ?? [], body: Buffer.from(event?.body_base64 ?? '', 'base64') }, [
    secret,
  ]);

describe('the relay of events', () => {
  it('is unknown to a gateway whose events no mutation changes', async () => {
    const { url, wanted } = await behind({ answer: (answer) => answer });
    expect(url).toBe(wanted);
  });

  it('passes an event on unchanged, by path and query, and returns the receiver’s answer', async () => {
    const { url, wanted, events, scope } = await behind(
      { deliver: (event, eventRoute) => eventRoute.forward(event) },
      { tail: '/a%2Fb?x=%20&y' },
    );
    expect(url).not.toBe(wanted);
    await control.plan(scope, [{ status: 503 }, { status: 204 }]);
    expect([await deliver(url), await deliver(url)]).toEqual([503, 204]);
    const [event] = await events(2);
    expect(event?.target).toBe(`/${scope}/a%2Fb?x=%20&y`);
    expect(verdictOf(event)).toMatchObject({ ok: true, id: 'evt_1', timestamp: 1_700_000_000 });
  });

  it('lets a mutation drop an event, send it twice, and sign its changes', async () => {
    const { url, events } = await behind({
      deliver: async (event, eventRoute) => {
        if (eventRoute.attempt > 1) return { status: 202, headers: [], body: Buffer.alloc(0) };
        const changed = { ...event, body: Buffer.from('{"changed":true}') };
        await eventRoute.forward(eventRoute.sign(changed, { id: 'evt_2', seconds: 1_700_000_001 }));
        return eventRoute.forward(changed);
      },
    });
    expect([await deliver(url), await deliver(url)]).toEqual([200, 202]);
    const all = await events(2);
    expect(all).toHaveLength(2);
    expect(verdictOf(all[0])).toMatchObject({ ok: true, id: 'evt_2', timestamp: 1_700_000_001 });
    expect(verdictOf(all[1])).toMatchObject({ ok: false, fault: 'mismatch' });
  });

  it('knows only the secrets of the accounts that were declared', async () => {
    const { url, events } = await behind(
      { deliver: async (event, eventRoute) => eventRoute.forward(eventRoute.sign(event)) },
      { key: 'a stranger' },
    );
    await expect(deliver(url)).rejects.toThrow();
    expect(await events(0)).toEqual([]);
  });

  it('sends to the plain listener when a mutation chooses it', async () => {
    const { url, events } = await behind({
      deliver: (event, eventRoute) => eventRoute.forward(event, eventRoute.plainOrigin),
    });
    expect(await deliver(url)).toBe(200);
    expect((await events(1)).map(({ via }) => via)).toEqual(['canary-http']);
  });

  it('sends the events that a mutation invents on an answer', async () => {
    const { events, wanted } = await behind({
      announces: async (_request, answer, eventRoute) => {
        const path = eventRoute.pathOf(urlIn(_request.body)) ?? '';
        const event = { method: 'POST', path, headers: [], body: answer?.body ?? Buffer.alloc(0) };
        await eventRoute.forward(eventRoute.sign(event, { id: 'evt_3', seconds: 1_700_000_000 }));
      },
    });
    const [event] = await events(1);
    expect(wanted.endsWith(event?.target ?? 'none')).toBe(true);
    expect(verdictOf(event)).toMatchObject({ ok: true, id: 'evt_3' });
  });
});

describe('the receiver that a deployment provides', () => {
  it('is reached through the proxy in front, which changes its answers', async () => {
    const kit = await startOrigin((incoming, response) => response.writeHead(401).end(incoming.url));
    const front = await startFrontProxy(
      'http://127.0.0.1:1',
      new Map<string, Mutation>([
        ['a', { kit: (answer) => ({ ...answer, status: 200 }) }],
        ['b', { answer: (answer) => ({ ...answer, status: 500 }) }],
      ]),
      { kitUrl: `${kit.url}/hooks?x=1` },
    );
    const statuses = await Promise.all(
      ['a', 'b'].map(async (id) => {
        const { status, body } = await exchange(front.kitUrlOf(id), { method: 'POST' });
        return `${status} ${body}`;
      }),
    );
    await Promise.all([front.close(), kit.close()]);
    expect(statuses).toEqual(['200 /hooks?x=1', '401 /hooks?x=1']);
  });
});

const urlIn = (body: Buffer): unknown => (JSON.parse(body.toString()) as { webhook_url: string }).webhook_url;
