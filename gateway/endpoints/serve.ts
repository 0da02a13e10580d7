import { errorBody, errorHeaders } from '../errors/error-body.ts';
import { GatewayError } from '../errors/gateway-error.ts';
import type { Exchange } from '../http/exchange.ts';
import { ClientDisconnected } from '../http/read-body.ts';
import { sendPlain } from '../http/send.ts';
import { endEvents, failureEvents } from '../http/send-events.ts';
import { protocolOf } from '../protocols/protocol-of.ts';
import type { Gateway } from '../services/gateway.ts';

/** Handles one exchange: answers it, or throws a refusal. */
export type Endpoint = (exchange: Exchange, gateway: Gateway) => Promise<void> | void;

/** Runs an endpoint. The one place that catches: whatever was thrown becomes the answer and the line in the log. */
export async function serve(
  exchange: Exchange,
  gateway: Gateway,
  route: string,
  endpoint: Endpoint,
): Promise<void> {
  exchange.facts.route = route;
  gateway.running.begin();
  try {
    await endpoint(exchange, gateway);
  } catch (thrown) {
    await answerThrown(exchange, gateway, thrown);
  } finally {
    await exchange.over();
    logExchange(exchange, gateway);
    gateway.running.end();
  }
}

async function answerThrown(exchange: Exchange, gateway: Gateway, thrown: unknown): Promise<void> {
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
    await sendPlain(
      exchange,
      { status: refusal.status, headers: errorHeaders(refusal), body },
      gateway.clock,
    );
  } else if (!outgoing.writableEnded) {
    // Only streams fail after their head: the failure becomes an event and the stream still ends as its protocol says (B-35).
    await endEvents(exchange, failureEvents(body, protocol));
  }
}

function internalError(exchange: Exchange, cause: unknown): GatewayError {
  const message = `Something went wrong on our side; the request was ${exchange.requestId}.`;
  return new GatewayError('internal_error', { message, cause });
}

function logExchange(exchange: Exchange, { clock, log }: Gateway): void {
  const { requestId, facts, outgoing, startedAtMs } = exchange;
  const line = {
    request_id: requestId,
    route: facts.route,
    status: outgoing.headersSent ? outgoing.statusCode : null,
    code: facts.code,
    ms: clock.now() - startedAtMs,
    key_id: facts.keyId,
  };
  if (facts.code === 'internal_error') log.error({ ...line, err: facts.cause }, 'request');
  else if (facts.cause === null || facts.cause === undefined) log.info(line, 'request');
  else log.warn({ ...line, cause: facts.cause }, 'request');
}
