import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createServer as createTlsServer, type Server as TlsServer } from 'node:https';
import type { DialectVersion } from '../answers/native-answer.ts';
import type { Clock } from '../clock.ts';
import type { Incoming } from '../http/read-body.ts';
import { SentHeaders } from '../http/sent-headers.ts';
import type { Upstream } from '../http/upstream.ts';
import { callbackJobs } from '../providers/callback-jobs/routes.ts';
import { chatCompletions } from '../providers/chat-completions/routes.ts';
import type { Dialect } from '../providers/dialect.ts';
import { generateContent } from '../providers/generate-content/routes.ts';
import { images } from '../providers/images/routes.ts';
import { jobs } from '../providers/jobs/routes.ts';
import { files } from '../providers/media/files.ts';
import { messages } from '../providers/messages/routes.ts';
import { responses } from '../providers/responses/routes.ts';
import type { Tenants } from '../state/tenants.ts';
import { answerRequest } from './answer-request.ts';
import { type Connection, Http1Connection, PlainSockets } from './connection.ts';
import { Exchange, ExchangeEnded } from './exchange.ts';
import { findTenant, type TenantMatch } from './find-tenant.ts';
import { secretsOf } from './pass-on.ts';

/** What the provider side needs from the process. */
export interface ProviderContext {
  readonly tenants: Tenants;
  readonly clock: Clock;
  readonly seed: number;
  /** The only dialect version that the upstreams simulate; null for both. */
  readonly version: DialectVersion | null;
  /** The real provider that answers unscripted calls; null for none. */
  readonly provider: Upstream | null;
  /** Called with an internal error of the simulators. */
  readonly onDefect: (error: unknown) => void;
}

/** The path selects the dialect, for any channel. The first dialect answers paths that belong to none. */
const dialects: readonly [Dialect, ...Dialect[]] = [
  chatCompletions,
  messages,
  generateContent,
  responses,
  images,
  jobs,
  callbackJobs,
  files,
];

/** The server sets no time limits, because a script may let a request hang. */
export const limits = {
  requestTimeout: 0,
  headersTimeout: 0,
  keepAliveTimeout: 0,
  maxHeaderSize: 1024 * 1024,
};

/** The simulated upstreams as one HTTP server; not yet listening. */
export function createProviderServer(context: ProviderContext): Server {
  return unlimited(createServer(limits, (request, response) => serveHttp1(request, response, context, null)));
}

export interface Certified {
  readonly key: string;
  readonly cert: string;
}

/** The same upstreams behind TLS. */
export function createTlsProviderServer(context: ProviderContext, { key, cert }: Certified): TlsServer {
  const server = unlimited(createTlsServer({ ...limits, key, cert }));
  const plain = new PlainSockets(server);
  return server.on('request', (request, response) => serveHttp1(request, response, context, plain));
}

function unlimited<T extends Server | TlsServer>(server: T): T {
  server.timeout = 0;
  server.maxHeadersCount = 0;
  return server;
}

/** Answers a request over HTTP/1. */
export function serveHttp1(
  request: IncomingMessage,
  response: ServerResponse,
  context: ProviderContext,
  plain: PlainSockets | null,
): void {
  const connection = new Http1Connection(request, response, plain);
  serveSafely({ request, connection, headers: new SentHeaders(request.rawHeaders) }, context);
}

/** Answers a request over any version of HTTP. */
export function serveSafely(asked: Asked, context: ProviderContext): void {
  const fail = (error: unknown): void => {
    if (error instanceof ExchangeEnded) return;
    context.onDefect(error);
    asked.connection.destroy();
  };
  // Most requests need no promise: their bodies arrive by events, and answers that are due are sent at once.
  const attempt: Attempt = (work) => {
    try {
      work()?.catch(fail);
    } catch (error) {
      fail(error);
    }
  };
  attempt(() => serve(asked, context, attempt));
}

/** Runs a step of a request, and handles its errors, immediate or later. */
type Attempt = (work: () => Promise<void> | void) => void;

export interface Asked {
  readonly request: Incoming;
  readonly connection: Connection;
  readonly headers: SentHeaders;
}

function serve(asked: Asked, context: ProviderContext, attempt: Attempt): Promise<void> | void {
  const atMs = context.clock.now();
  const match = findTenant(asked.request, asked.headers, context.tenants.rules);
  const begin = (found: TenantMatch): void => {
    serveTenant({ ...asked, atMs }, found, context, attempt);
  };
  if (match instanceof Promise) return match.then(begin);
  begin(match);
}

interface Arrived extends Asked {
  readonly atMs: number;
}

function serveTenant(
  { request, connection, headers, atMs }: Arrived,
  { tenant: name, channel, head, preRead }: TenantMatch,
  context: ProviderContext,
  attempt: Attempt,
): void {
  const { method = 'GET' } = request;
  const { clock, seed, version, provider } = context;
  const tenant = context.tenants.find(name);
  if (tenant === null) {
    connection.head(503, { connection: 'close' });
    connection.end(Buffer.from('there are too many tenants\n'));
    return;
  }
  if (provider !== null && !context.tenants.hide(secretsOf({ head }))) {
    connection.head(503, { connection: 'close' });
    connection.end(Buffer.from('there are more keys than can be hidden\n'));
    return;
  }
  const record = tenant.journal.open({ channel, method, path: head.target, headers, atMs });
  const exchange = new Exchange({ request, connection, tenant, record, clock });
  exchange.readBody(preRead, (isWhole) => {
    const { path, query } = head;
    const dialect = dialects.find((candidate) => candidate.serves({ path, headers })) ?? dialects[0];
    const body = record.requestBody();
    const native = { method, path, query, headers, head, channel, body, isTooLarge: !isWhole };
    attempt(() => answerRequest(dialect, exchange, native, { seed, clock, version, provider }));
  });
}
