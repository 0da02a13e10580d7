import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { type Clock, RealClock } from '../clock.ts';
import type { Limits } from '../config.ts';
import { GatewayError } from '../errors/gateway-error.ts';
import { adapt, queryIn } from './adapt.ts';
import { BodyBudget } from './body-budget.ts';
import { type Exchange, openExchange } from './exchange.ts';
import { HalfClosed } from './half-closed.ts';
import { answerOnSocket, answerParserFault } from './parser-faults.ts';

/** Not imported: an import of this module would also load all of Node's fetch. */
const { createServer } = process.getBuiltinModule('node:http');

export interface HttpServerOptions {
  readonly limits: Limits;
  /** The default limit on the bytes of all bodies together. */
  readonly inFlightBytes: number;
  readonly clock: Clock;
  readonly newRequestId: () => string;
  /** Whether this process is leaving. Then each answer closes its connection. */
  readonly isLeaving: () => boolean;
  /** Handles a request that can be routed. */
  readonly route: (exchange: Exchange) => void;
  /** Answers a request that cannot be routed. */
  readonly refuse: (exchange: Exchange, refusal: GatewayError) => void;
  readonly logFault: (requestId: string, refusal: GatewayError) => void;
}

/** Idle connections stay open longer than common clients keep them, so that the client closes first. */
const keepAliveMs = 75_000;
/** How often Node checks for connections whose header or body is overdue. */
const overdueCheckMs = 250;

/** The HTTP/1.1 server below the routes. Exceeded limits, broken bytes and odd methods are answered in our error format. */
export function createHttpServer(options: HttpServerOptions): Server {
  const { limits, clock } = options;
  const line = new RealClock();
  const bodies = new BodyBudget(limits.in_flight_bytes ?? options.inFlightBytes, clock);
  const halfClosed = new HalfClosed(line);
  const server = createServer({
    maxHeaderSize: limits.header_bytes,
    headersTimeout: limits.header_timeout_ms,
    // A backstop: the body has its own deadline, from the start of reading.
    requestTimeout: limits.header_timeout_ms + 2 * limits.body_timeout_ms,
    connectionsCheckingInterval: overdueCheckMs,
    keepAliveTimeout: keepAliveMs,
    // We reject a missing Host header ourselves, in our error format.
    requireHostHeader: false,
  });
  // A client may close its side behind its request and still read the answer. Node's options do not include this.
  Object.assign(server, { httpAllowHalfOpen: true });
  // The size limit already bounds the headers; Node's limit on their number would silently drop the rest.
  server.maxHeadersCount = 0;
  const handle = (incoming: IncomingMessage, outgoing: ServerResponse): void => {
    const query = queryIn(incoming.url ?? '');
    const opening = { requestId: options.newRequestId(), clock, line, limits, bodies, halfClosed, query };
    const refusal = adapt(incoming);
    // Otherwise a caller would send its next request on a connection that is about to be closed.
    if (options.isLeaving()) outgoing.shouldKeepAlive = false;
    const exchange = openExchange(incoming, outgoing, opening);
    if (refusal === null) options.route(exchange);
    else options.refuse(exchange, refusal);
  };
  server.on('request', handle);
  server.on('checkContinue', handle);
  server.on('checkExpectation', handle);
  server.on('clientError', (error, socket) => {
    if (socket instanceof Socket) answerParserFault(error, socket, options);
    else socket.destroy();
  });
  server.on('connect', (_request, socket) => {
    if (!(socket instanceof Socket)) return;
    answerOnSocket(socket, new GatewayError('method_not_allowed', { allow: ['GET', 'POST'] }), options);
  });
  return server;
}
