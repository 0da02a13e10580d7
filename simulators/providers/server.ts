import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Clock } from '../clock.ts';
import type { Lanes } from '../control/lanes.ts';
import { parseAddress } from './address.ts';
import { chatCompletions } from './chat-completions/routes.ts';
import type { Dialect } from './dialect.ts';
import { Exchange, ExchangeEnded } from './exchange.ts';
import { generateContent } from './generate-content/routes.ts';
import { messages } from './messages/routes.ts';

/** What the provider side needs from the process. */
export interface ProviderContext {
  readonly lanes: Lanes;
  readonly clock: Clock;
  readonly seed: number;
  /** Told of a defect of the simulators themselves. */
  readonly onDefect: (error: unknown) => void;
}

/** The path selects, whatever the channel; paths of no dialect are refused in the manner of the first. */
const dialects: readonly [Dialect, ...Dialect[]] = [chatCompletions, messages, generateContent];

/** The simulated upstreams as one HTTP server; not yet listening. */
export function createProviderServer(context: ProviderContext): Server {
  // No limit of the server's own: a request may hang for as long as a script says.
  const limits = { requestTimeout: 0, headersTimeout: 0, keepAliveTimeout: 0, maxHeaderSize: 1024 * 1024 };
  const server = createServer(limits, (request, response) => {
    serve(request, response, context).catch((error: unknown) => {
      if (error instanceof ExchangeEnded) return;
      context.onDefect(error);
      response.destroy();
    });
  });
  server.timeout = 0;
  server.maxHeadersCount = 0;
  return server;
}

async function serve(
  request: IncomingMessage,
  response: ServerResponse,
  context: ProviderContext,
): Promise<void> {
  const { method = 'GET', url = '/' } = request;
  const address = parseAddress(url);
  const lane = context.lanes.find(address.lane);
  if (lane === null) {
    response.writeHead(503, { connection: 'close' }).end('there are too many lanes\n');
    return;
  }
  const headers = headerPairs(request.rawHeaders);
  const arrival = { channel: address.channel, method, path: url, headers, atMs: context.clock.now() };
  const record = lane.journal.open(arrival);
  const exchange = new Exchange({ request, response, lane, record, clock: context.clock });
  const isWhole = await exchange.readBody();
  const dialect = dialects.find((candidate) => candidate.serves(address.path)) ?? dialects[0];
  const native = {
    method,
    path: address.path,
    query: address.query,
    headers: firstByName(headers),
    channel: address.channel,
    body: record.requestBody(),
    isTooLarge: !isWhole,
  };
  await dialect.answer(exchange, native, { seed: context.seed });
}

function headerPairs(raw: readonly string[]): [string, string][] {
  return Array.from({ length: raw.length / 2 }, (_, at) => [raw[2 * at] ?? '', raw[2 * at + 1] ?? '']);
}

function firstByName(headers: readonly [string, string][]): Map<string, string> {
  return new Map(headers.map(([name, value]) => [name.toLowerCase(), value] as const).reverse());
}
