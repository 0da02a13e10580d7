import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http';
import { createServer as createTlsServer, type Server as TlsServer } from 'node:https';
import type { DialectVersion } from '../answers/native-answer.ts';
import type { Clock } from '../clock.ts';
import { SentHeaders } from '../http/sent-headers.ts';
import { callbackJobs } from '../providers/callback-jobs/routes.ts';
import { chatCompletions } from '../providers/chat-completions/routes.ts';
import type { Dialect } from '../providers/dialect.ts';
import { generateContent } from '../providers/generate-content/routes.ts';
import { images } from '../providers/images/routes.ts';
import { jobs } from '../providers/jobs/routes.ts';
import { files } from '../providers/media/files.ts';
import { messages } from '../providers/messages/routes.ts';
import type { Tenants } from '../state/tenants.ts';
import { answerRequest } from './answer-request.ts';
import { Exchange, ExchangeEnded } from './exchange.ts';
import { findTenant, type TenantMatch } from './find-tenant.ts';

/** What the provider side needs from the process. */
export interface ProviderContext {
  readonly tenants: Tenants;
  readonly clock: Clock;
  readonly seed: number;
  /** The only version of their dialects that the upstreams play; null for both. */
  readonly version: DialectVersion | null;
  /** Called with a defect of the simulators themselves. */
  readonly onDefect: (error: unknown) => void;
}

/** The path selects the dialect, whatever the channel. The first dialect refuses paths that belong to none. */
const dialects: readonly [Dialect, ...Dialect[]] = [
  chatCompletions,
  messages,
  generateContent,
  images,
  jobs,
  callbackJobs,
  files,
];

/** No limits by the server itself: a request may hang for as long as a script says. */
const limits = { requestTimeout: 0, headersTimeout: 0, keepAliveTimeout: 0, maxHeaderSize: 1024 * 1024 };

/** The simulated upstreams as one HTTP server; not yet listening. */
export function createProviderServer(context: ProviderContext): Server {
  return unlimited(createServer(limits, handlerOf(context)));
}

/** The same upstreams behind TLS. */
export function createTlsProviderServer(
  context: ProviderContext,
  { key, cert }: { readonly key: string; readonly cert: string },
): TlsServer {
  return unlimited(createTlsServer({ ...limits, key, cert }, handlerOf(context)));
}

function unlimited<T extends Server | TlsServer>(server: T): T {
  server.timeout = 0;
  server.maxHeadersCount = 0;
  return server;
}

function handlerOf(context: ProviderContext): RequestListener {
  return (request, response) => {
    const fail = (error: unknown): void => {
      if (error instanceof ExchangeEnded) return;
      context.onDefect(error);
      response.destroy();
    };
    // Most requests are served without a promise: their bodies arrive by events, and what is due at once leaves at once.
    const attempt: Attempt = (work) => {
      try {
        work()?.catch(fail);
      } catch (error) {
        fail(error);
      }
    };
    attempt(() => serve(request, response, context, attempt));
  };
}

/** Runs a step of a request, and handles what fails in it, then or later. */
type Attempt = (work: () => Promise<void> | void) => void;

function serve(
  request: IncomingMessage,
  response: ServerResponse,
  context: ProviderContext,
  attempt: Attempt,
): Promise<void> | void {
  const headers = new SentHeaders(request.rawHeaders);
  const atMs = context.clock.now();
  const match = findTenant(request, headers, context.tenants.rules);
  const begin = (found: TenantMatch): void => {
    serveTenant({ request, response, headers, atMs }, found, context, attempt);
  };
  if (match instanceof Promise) return match.then(begin);
  begin(match);
}

interface Arrived {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly headers: SentHeaders;
  readonly atMs: number;
}

function serveTenant(
  { request, response, headers, atMs }: Arrived,
  { tenant: name, channel, head, preRead }: TenantMatch,
  context: ProviderContext,
  attempt: Attempt,
): void {
  const { method = 'GET' } = request;
  const { clock, seed, version } = context;
  const tenant = context.tenants.find(name);
  if (tenant === null) {
    response.writeHead(503, { connection: 'close' }).end('there are too many lanes\n');
    return;
  }
  const record = tenant.journal.open({ channel, method, path: head.target, headers, atMs });
  const exchange = new Exchange({ request, response, tenant, record, clock });
  exchange.readBody(preRead, (isWhole) => {
    const { path, query } = head;
    const dialect = dialects.find((candidate) => candidate.serves(path)) ?? dialects[0];
    const body = record.requestBody();
    const native = { method, path, query, headers, head, channel, body, isTooLarge: !isWhole };
    attempt(() => answerRequest(dialect, exchange, native, { seed, clock, version }));
  });
}
