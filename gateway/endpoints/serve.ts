import type { Logger } from 'pino';
import { errorBody, errorHeaders } from '../errors/error-body.ts';
import { GatewayError } from '../errors/gateway-error.ts';
import type { Exchange } from '../http/exchange.ts';
import { ClientDisconnected } from '../http/read-body.ts';
import type { Running } from '../http/running.ts';
import { sendPlain } from '../http/send.ts';
import { endEvents, failureEvents } from '../http/send-events.ts';
import type { Metrics } from '../metrics/metrics.ts';
import { protocolOf } from '../protocols/protocol-of.ts';
import type { Tracing } from '../tracing/tracing.ts';

/** Dependencies of every exchange. */
export interface Serving {
  /** Counts the exchanges in progress. */
  readonly running: Running;
  readonly log: Logger;
  readonly metrics: Pick<Metrics, 'answered'>;
  /** Null without tracing. */
  readonly tracing: Pick<Tracing, 'begin'> | null;
}

/** Runs `answer`. This is the only place that catches: an error becomes the answer and a line in the log. */
export async function serve(
  exchange: Exchange,
  { running, log, metrics, tracing }: Serving,
  route: string,
  answer: () => Promise<void> | void,
): Promise<void> {
  exchange.facts.route = route;
  running.begin();
  const span = tracing?.begin(exchange) ?? null;
  try {
    await (span === null ? answer() : span.run(answer));
  } catch (thrown) {
    await answerThrown(exchange, thrown);
  } finally {
    const releasing = exchange.over();
    if (releasing !== null) await releasing;
    logExchange(exchange, log);
    countAnswer(exchange, metrics);
    span?.end();
    running.end();
  }
}

function countAnswer({ facts, elapsedMs }: Exchange, metrics: Serving['metrics']): void {
  const { route, code, firstEventMs } = facts;
  metrics.answered({ route, code, ms: elapsedMs(), firstEventMs });
}

async function answerThrown(exchange: Exchange, thrown: unknown): Promise<void> {
  const { facts, outgoing } = exchange;
  if (thrown instanceof ClientDisconnected) {
    facts.code = 'client_gone';
    outgoing.destroy();
    return;
  }
  const refusal = thrown instanceof GatewayError ? thrown : internalError(exchange, thrown);
  facts.code = refusal.code;
  facts.cause = refusal.cause;
  const protocol = protocolOf(exchange.path);
  const body = JSON.stringify(errorBody(refusal, protocol));
  if (!outgoing.headersSent) {
    await sendPlain(exchange, { status: refusal.status, headers: errorHeaders(refusal), body });
  } else if (!outgoing.writableEnded) {
    // Only streams fail after their head. The failure becomes an event, and the stream ends as its protocol
    // requires (B-35).
    await endEvents(exchange, failureEvents(body, protocol));
  }
}

function internalError(exchange: Exchange, cause: unknown): GatewayError {
  const message = `Something went wrong on our side; the request was ${exchange.requestId}.`;
  return new GatewayError('internal_error', { message, cause });
}

function logExchange(exchange: Exchange, log: Logger): void {
  const { requestId, facts, outgoing } = exchange;
  const line = {
    request_id: requestId,
    route: facts.route,
    status: outgoing.headersSent ? outgoing.statusCode : null,
    code: facts.code,
    ms: Math.round(exchange.elapsedMs()),
    key_id: facts.keyId,
    ...(facts.admin !== null && { admin: facts.admin }),
  };
  if (facts.code === 'internal_error') log.error({ ...line, err: facts.cause }, 'request');
  else if (facts.cause === null || facts.cause === undefined) log.info(line, 'request');
  else log.warn({ ...line, cause: facts.cause }, 'request');
}
