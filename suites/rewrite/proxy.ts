import { once } from 'node:events';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Server as SecureServer } from 'node:https';
import { setTimeout as wait } from 'node:timers/promises';
import { Agent, type Dispatcher } from 'undici';
import { listenOnLoopback } from '../process/loopback.ts';
import { collect } from './body-pipeline.ts';
import { isAnswer, type Mutation, type ProxyAnswer, type ProxyRequest } from './mutation.ts';
import { breakOff, sendStream, sendWhole } from './proxy-answer.ts';
import { endToEnd, headerOf, headerPairs, isEventStream, withoutHeaders } from './proxy-headers.ts';

/** Loaded without `import`, which would also load all of Node's fetch with this module. */
const { createServer } = process.getBuiltinModule('node:http');

/** Where a request goes, and its changes on the way. */
export interface Route {
  /** Origin of the server behind, such as `http://127.0.0.1:8080`. */
  readonly origin: string;
  /** Path and query for the server behind. */
  readonly path: string;
  readonly mutation: Mutation;
  /** Changes the request after the mutation, just before it is sent. */
  readonly onWay?: (request: ProxyRequest) => ProxyRequest;
  /** Called with each request and its answer, for the `announces` of a mutation. */
  readonly onAnswer?: (request: ProxyRequest, answer: ProxyAnswer | null) => void;
  /** Called once the answer is sent, or either side has disconnected. */
  readonly onOver?: () => void;
}

export interface Proxy {
  /** The proxy's URL, without a slash at the end. */
  readonly url: string;
  close(): Promise<void>;
}

/** The longest request body that is accepted, bytes. */
const bodyLimit = 64 * 1024 * 1024;

/** The maximum size of a head in either direction, bytes. It is high, because the gateway sets the limit. */
const headLimit = 1024 * 1024;

/**
 * Starts a proxy on a free port of the loopback interface. `route` returns the target of a path; for null the proxy itself
 * answers 404. The proxy has no timeouts. When one side disconnects, it disconnects the other.
 */
export async function startProxy(
  route: (path: string) => Route | null,
  { connect = directly }: { readonly connect?: Connect } = {},
): Promise<Proxy> {
  const agent = connect({ headersTimeout: 0, bodyTimeout: 0, maxHeaderSize: headLimit });
  const server = createServer({ maxHeaderSize: headLimit, requestTimeout: 0, headersTimeout: 0 });
  // Longer than any client keeps an idle connection, so that no connection closes during a new request.
  server.keepAliveTimeout = 120_000;
  server.on('request', (incoming: IncomingMessage, outgoing: ServerResponse) => {
    const leads = route(incoming.url ?? '/');
    if (leads?.onOver !== undefined) outgoing.once('close', leads.onOver);
    if (leads === null) outgoing.writeHead(404).end('no such route in this proxy\n');
    else void pass(agent, leads, incoming, outgoing);
  });
  const port = await listenOnLoopback(server);
  return {
    url: `http://127.0.0.1:${port}`,
    close: () => endProxy(server, agent),
  };
}

/** Makes the connections to the servers behind a proxy, with the proxy's limits. */
type Connect = (
  limits: Pick<Agent.Options, 'headersTimeout' | 'bodyTimeout' | 'maxHeaderSize'>,
) => Dispatcher;

function directly(limits: Parameters<Connect>[0]): Dispatcher {
  return new Agent({ connections: null, pipelining: 1, ...limits, connect: { timeout: 0 } });
}

/** Closes a proxy with all its exchanges in flight. */
export async function endProxy(server: Server | SecureServer, agent: Dispatcher): Promise<void> {
  const closed = once(server, 'close');
  server.close();
  server.closeAllConnections();
  await Promise.all([closed, agent.destroy()]);
}

async function pass(
  agent: Dispatcher,
  route: Route,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): Promise<void> {
  const left = new AbortController();
  outgoing.once('close', () => {
    if (!outgoing.writableFinished) left.abort();
  });
  try {
    const body = await readBody(incoming);
    if (body === null) {
      outgoing.writeHead(413, { connection: 'close' }).end('more than this proxy takes\n');
      return;
    }
    await forward(agent, route, toRequest(route, incoming, body), { outgoing, signal: left.signal });
  } catch (error) {
    breakOff(outgoing, error);
  }
}

interface Client {
  readonly outgoing: ServerResponse;
  readonly signal: AbortSignal;
}

async function forward(
  agent: Dispatcher,
  route: Route,
  original: ProxyRequest,
  client: Client,
): Promise<void> {
  const { mutation } = route;
  const { outgoing, signal } = client;
  const wanted = whole(() => mutation.request?.(original) ?? original);
  if (isAnswer(wanted)) {
    sendWhole(outgoing, { ...wanted, statusText: '', close: false }, original, mutation);
    return;
  }
  const request = route.onWay?.(wanted) ?? wanted;
  const received = await agent.request({
    origin: route.origin,
    path: request.path,
    method: request.method as Dispatcher.HttpMethod,
    headers: withoutHeaders(endToEnd(request.headers), ...rewritten(route)).flat(),
    body: request.body.length > 0 ? request.body : null,
    responseHeaders: 'raw',
    signal,
  });
  const raw = headerPairs(received.headers as unknown as (string | Buffer)[]);
  const close = headerOf(raw, 'connection').toLowerCase().includes('close');
  const head = {
    status: received.statusCode,
    headers: endToEnd(raw),
    statusText: received.statusText,
    close,
  };
  if (mutation.delayMs !== undefined) await wait(mutation.delayMs, undefined, { signal });
  const isStream = isEventStream(head.headers);
  if (isStream) route.onAnswer?.(original, null);
  const { answer: change = (unchanged: ProxyAnswer) => unchanged, delayAnswer } = mutation;
  const isUnread = mutation.answer === undefined && delayAnswer === undefined && route.onAnswer === undefined;
  if (isStream || isUnread) {
    await sendStream(outgoing, head, received.body, request, mutation);
    return;
  }
  const body = await collect(received.body);
  const delay = delayAnswer?.({ ...head, body }) ?? 0;
  if (delay > 0) await wait(delay, undefined, { signal });
  route.onAnswer?.(original, { ...head, body });
  const answer = whole(() => change({ ...head, body }, request));
  sendWhole(
    outgoing,
    { ...answer, statusText: answer.status === head.status ? head.statusText : '', close },
    request,
    mutation,
  );
}

/**
 * Applies a mutation to a whole message. An error is printed, because the broken connection would look like the
 * gateway's.
 */
function whole<T>(change: () => T): T | ProxyAnswer {
  try {
    return change();
  } catch (error) {
    const text = `the mutation in this proxy failed: ${(error as Error).message}\n`;
    return { status: 599, headers: [['content-type', 'text/plain']], body: Buffer.from(text) };
  }
}

/**
 * Headers that are not passed to the server behind. Our connection has its own, and a mutation must be able to read the
 * answer.
 */
function rewritten({ mutation: { answer, events, join, wire }, onAnswer }: Route): string[] {
  const reads = [answer, events, join, wire, onAnswer].some((part) => part !== undefined);
  return ['host', 'content-length', 'expect', ...(reads ? ['accept-encoding'] : [])];
}

/** The whole body, or null when it is too large. Rejects when the client disconnects before its end. */
async function readBody(incoming: IncomingMessage): Promise<Buffer | null> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const bytes of incoming) {
    size += (bytes as Buffer).length;
    if (size > bodyLimit) return null;
    parts.push(bytes as Buffer);
  }
  return Buffer.concat(parts);
}

function toRequest(route: Route, incoming: IncomingMessage, body: Buffer): ProxyRequest {
  return {
    method: incoming.method ?? 'GET',
    path: route.path,
    headers: headerPairs(incoming.rawHeaders),
    body,
  };
}
