import type { Clock } from '../clock.ts';
import type { Exchange } from './exchange.ts';
import { writeAll } from './send.ts';

const HEADERS = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-store',
  // Proxies in front must not collect events.
  'x-accel-buffering': 'no',
};

/** Begins a stream of server-sent events; from here on failures are events. */
export function startEvents({ outgoing, requestId }: Exchange): void {
  outgoing.writeHead(200, { ...HEADERS, 'x-request-id': requestId });
}

/** One event: a single `data:` line. */
export function dataEvent(json: string): string {
  return `data: ${json}\n\n`;
}

/** Writes events as they come; resolves when the client keeps up. False when it is gone. */
export function writeEvents(exchange: Exchange, events: string, clock: Clock): Promise<boolean> {
  return writeAll(exchange, events, clock);
}

/** Writes the last events and the end marker. What the exchange holds is given back just before. */
export function endEvents(exchange: Exchange, lastEvents: string): void {
  exchange.over();
  exchange.outgoing.end(`${lastEvents}${dataEvent('[DONE]')}`);
}
