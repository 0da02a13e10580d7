import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import { addAbortSignal, type Readable } from 'node:stream';
import { Agent } from 'undici';
import { listenOnLoopback } from '../process/loopback.ts';
import { collect } from './body-pipeline.ts';
import { EventMutation, type EventPlaces } from './event-mutation.ts';
import type { Mutation, ProxyAnswer, ProxyRequest } from './mutation.ts';
import { endProxy } from './proxy.ts';
import { breakOff } from './proxy-answer.ts';
import { endToEnd, headerOf, headerPairs, withoutHeaders } from './proxy-headers.ts';

/** How long to wait for the rest of an answer, ms. */
const restMs = 500;

/** The relay between gateways with an event mutation and the receiver of the suites. */
export interface EventRelay {
  /** Host and port, which the gateways must allow. */
  readonly host: string;
  /** Connects it to this receiver from now on. */
  lead(places: EventPlaces): void;
  /** Creates the mutation of one gateway's events. */
  routeOf(mutation: Mutation): EventMutation;
  close(): Promise<void>;
}

/**
 * Starts a relay for events on a free port of the loopback interface.
 * The first segment of a path names the mutation and the account. The rest is the path at the receiver behind.
 */
export async function startEventRelay(tls: { key: string; cert: string }): Promise<EventRelay> {
  const roads: EventMutation[] = [];
  let places: EventPlaces | null = null;
  let agent = new Agent();
  const server = createServer({ ...tls, requestTimeout: 0, headersTimeout: 0 });
  server.keepAliveTimeout = 120_000;
  server.on('request', (incoming: IncomingMessage, outgoing: ServerResponse) => {
    const [, eventRoute, account, path] = /^\/(\d+)\.(-?\d+)(\/.*)$/s.exec(incoming.url ?? '') ?? [];
    const mutation = roads[Number(eventRoute)];
    if (mutation === undefined || path === undefined) outgoing.writeHead(404).end('no such road\n');
    else void relay(mutation, { account: Number(account), path }, incoming, outgoing);
  });
  const port = await listenOnLoopback(server);
  const host = `127.0.0.1:${port}`;
  return {
    host,
    lead: (given) => {
      places = given;
      agent = eventAgent(given.ca);
    },
    routeOf: (mutation) => {
      if (places === null) throw new Error('the event relay leads nowhere yet');
      const eventRoute = new EventMutation(mutation, {
        ...places,
        relayOrigin: `https://${host}/${roads.length}`,
        send: (origin, event, signal) => send(agent, origin, event, signal),
      });
      roads.push(eventRoute);
      return eventRoute;
    },
    close: () => endProxy(server, agent),
  };
}

/** An agent without timeouts, because a receiver may be slow, and an event may name any host. */
function eventAgent(ca: string): Agent {
  return new Agent({
    connections: null,
    pipelining: 1,
    headersTimeout: 0,
    bodyTimeout: 0,
    connect: { timeout: 0, ca, checkServerIdentity: () => undefined },
  });
}

async function relay(
  eventRoute: EventMutation,
  place: { readonly account: number; readonly path: string },
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): Promise<void> {
  const left = new AbortController();
  outgoing.once('close', () => {
    if (!outgoing.writableFinished) left.abort();
  });
  try {
    const event = {
      method: incoming.method ?? 'POST',
      path: place.path,
      headers: withoutHeaders(endToEnd(headerPairs(incoming.rawHeaders)), 'host', 'content-length', 'expect'),
      body: await collect(incoming),
    };
    const answer = await eventRoute.deliver(event, place.account, left.signal);
    outgoing.sendDate = false;
    const headers = withoutHeaders(endToEnd(answer.headers), 'content-length');
    outgoing
      .writeHead(answer.status, [...headers, ['content-length', String(answer.body.length)]].flat())
      .end(answer.body);
  } catch (error) {
    breakOff(outgoing, error);
  }
}

async function send(
  agent: Agent,
  origin: string,
  event: ProxyRequest,
  signal: AbortSignal | null,
): Promise<ProxyAnswer> {
  const received = await agent.request({
    origin,
    path: event.path,
    method: event.method as 'POST',
    headers: event.headers.flat(),
    body: event.body,
    responseHeaders: 'raw',
    ...(signal === null ? {} : { signal }),
  });
  const headers = headerPairs(received.headers as unknown as (string | Buffer)[]);
  const isEmpty = headerOf(headers, 'content-length') === '0';
  return {
    status: received.statusCode,
    headers,
    body: isEmpty ? Buffer.alloc(0) : await restOf(received.body),
  };
}

/** The body of an answer; empty when it breaks off or does not end in time. */
async function restOf(body: Readable): Promise<Buffer> {
  try {
    return await collect(addAbortSignal(AbortSignal.timeout(restMs), body));
  } catch {
    return Buffer.alloc(0);
  }
}
