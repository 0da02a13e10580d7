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
import { headerPairs } from '../http/header-pairs.ts';
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
import { findTenant } from './find-tenant.ts';

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
    serve(request, response, context).catch((error: unknown) => {
      if (error instanceof ExchangeEnded) return;
      context.onDefect(error);
      response.destroy();
    });
  };
}

async function serve(
  request: IncomingMessage,
  response: ServerResponse,
  context: ProviderContext,
): Promise<void> {
  const { method = 'GET', url = '/' } = request;
  const { tenants, clock } = context;
  const headers = headerPairs(request.rawHeaders);
  const atMs = clock.now();
  const match = findTenant(request, headers, tenants.rules);
  const { tenant: name, channel, address, preRead } = match instanceof Promise ? await match : match;
  const tenant = tenants.find(name);
  if (tenant === null) {
    response.writeHead(503, { connection: 'close' }).end('there are too many lanes\n');
    return;
  }
  const record = tenant.journal.open({ channel, method, path: url, headers, atMs });
  const exchange = new Exchange({ request, response, tenant, record, clock });
  const isWhole = await exchange.readBody(preRead);
  const dialect = dialects.find((candidate) => candidate.serves(address.path)) ?? dialects[0];
  const native = {
    method,
    path: address.path,
    query: address.query,
    headers: firstByName(headers),
    target: url,
    rawHeaders: headers,
    channel,
    body: record.requestBody(),
    isTooLarge: !isWhole,
  };
  await answerRequest(dialect, exchange, native, { seed: context.seed, clock, version: context.version });
}

function firstByName(headers: readonly [string, string][]): Map<string, string> {
  const first = new Map<string, string>();
  for (let at = headers.length - 1; at >= 0; at -= 1) {
    const [name, value] = headers[at] ?? ['', ''];
    first.set(name.toLowerCase(), value);
  }
  return first;
}
