import type { DialectName } from '../catalogue/dialects.ts';
import type { Exchange } from './exchange.ts';
import { writeAll } from './send.ts';

const headers = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-store',
  // Proxies in front must not collect events.
  'x-accel-buffering': 'no',
};

/** Begins a stream of server-sent events; from here on failures are events. */
export function startEvents({ outgoing, requestId }: Exchange): void {
  outgoing.writeHead(200, { ...headers, 'x-request-id': requestId });
}

/** One event: a single `data:` line, behind its name where the protocol names events. */
export function dataEvent(json: string, name?: string): string {
  return `${name === undefined ? '' : `event: ${name}\n`}data: ${json}\n\n`;
}

/** The last event of a stream on the core path. */
export const endMarker: string = dataEvent('[DONE]');

/** A failure as the last event of a stream, and the end marker where the protocol has one. */
export function failureEvents(json: string, protocol: DialectName): string {
  switch (protocol) {
    case 'chat-completions':
      return dataEvent(json) + endMarker;
    case 'messages':
      return dataEvent(json, 'error');
    case 'generate-content':
      return dataEvent(json) + cutMark;
  }
}

/**
 * The official client of generate-content knows an error event by a number as its code, and ours is the specified text:
 * it would take a broken stream for a whole one. A comment behind the last event is nothing to any reader of events; this
 * client waits for the rest of it and raises an error when there is none.
 */
const cutMark = ': the answer is not whole\n';

/** Writes events as they come; resolves when the client keeps up. False when it is gone. */
export function writeEvents(exchange: Exchange, events: string): Promise<boolean> {
  return writeAll(exchange, events);
}

/** Writes the last events. What the exchange holds is given back just before. */
export async function endEvents(exchange: Exchange, lastEvents: string): Promise<void> {
  await exchange.over();
  exchange.outgoing.end(lastEvents);
}
