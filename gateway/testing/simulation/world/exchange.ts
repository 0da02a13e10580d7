import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import type { Clock } from '../../../clock.ts';
import type { Limits } from '../../../config.ts';
import { BodyBudget } from '../../../http/body-budget.ts';
import { type Exchange, openExchange } from '../../../http/exchange.ts';

/** A request to a gateway. */
export interface Asked {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** What the caller has got so far. */
export interface Seen {
  status: number | null;
  body: string;
  /** The last byte has been sent. */
  isWhole: boolean;
}

export interface Opening {
  readonly requestId: string;
  readonly clock: Clock;
  readonly limits: Limits;
  /** Called when the last byte is sent, before anything else happens. */
  readonly onEnd: (seen: Seen) => void;
}

/** An exchange without a network: the caller reads everything at once, until he leaves. */
export interface OpenedExchange {
  readonly exchange: Exchange;
  readonly seen: Seen;
  /** The caller disconnects. */
  leave(): void;
}

const bodiesBytes = 64 * 1024 * 1024;

export function openSimulatedExchange(
  asked: Asked,
  { requestId, clock, limits, onEnd }: Opening,
): OpenedExchange {
  const socket = new Socket();
  const incoming = new IncomingMessage(socket);
  incoming.method = asked.method;
  incoming.url = asked.path;
  const headers: Record<string, string> = { 'content-length': String(asked.body.length), ...asked.headers };
  incoming.headers = headers;
  incoming.headersDistinct = Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, [value]]),
  );
  incoming.rawHeaders = Object.entries(headers).flat();
  incoming.complete = true;
  incoming.push(asked.body);
  incoming.push(null);
  const seen: Seen = { status: null, body: '', isWhole: false };
  const outgoing = responseTo(incoming, seen, onEnd);
  const bodies = new BodyBudget(bodiesBytes, clock);
  const exchange = openExchange(incoming, outgoing, { requestId, clock, limits, bodies, query: '' });
  return {
    exchange,
    seen,
    leave: () => {
      if (!seen.isWhole) socket.emit('close');
    },
  };
}

function responseTo(incoming: IncomingMessage, seen: Seen, onEnd: Opening['onEnd']): ServerResponse {
  const outgoing = new ServerResponse(incoming);
  const take = (chunk: unknown): void => {
    seen.status = outgoing.statusCode;
    if (typeof chunk === 'string' || Buffer.isBuffer(chunk)) seen.body += chunk.toString();
  };
  return Object.assign(outgoing, {
    write: (chunk: unknown) => {
      take(chunk);
      return true;
    },
    end: (chunk: unknown) => {
      take(chunk);
      seen.isWhole = true;
      outgoing.finished = true;
      onEnd(seen);
      return outgoing;
    },
  });
}
