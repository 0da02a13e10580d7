import type { DialectName } from '../catalogue/dialects.ts';
import { dateOf } from './date-of.ts';
import type { Exchange } from './exchange.ts';
import { requestIdHeaders } from './request-id-headers.ts';
import { sendLast, writeAll } from './send.ts';

const headers = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-store',
  // Makes proxies such as nginx forward events without buffering.
  'x-accel-buffering': 'no',
};

/** Starts a stream of server-sent events; the first event follows at once, and failures are sent as events. */
export function startEvents(exchange: Exchange): void {
  const { outgoing, requestId, path, clock, facts, elapsedMs } = exchange;
  facts.firstEventMs = elapsedMs();
  outgoing.writeHead(200, { ...headers, ...requestIdHeaders(requestId, path), date: dateOf(clock) });
  // Own chunk framing, because Node would write each chunk in three pieces.
  exchange.isChunked = outgoing.chunkedEncoding;
  outgoing.chunkedEncoding = false;
}

const lastChunk = '0\r\n\r\n';

/** Frames a text as a chunk, unless the client does not support chunks. */
function framed({ isChunked }: Exchange, text: string): string {
  return isChunked && text !== '' ? `${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n` : text;
}

/** One event: a single `data:` line, after its name where the protocol names events. */
export function dataEvent(json: string, name?: string): string {
  return `${name === undefined ? '' : `event: ${name}\n`}data: ${json}\n\n`;
}

/** The last event of a stream on the core path. */
export const endMarker: string = dataEvent('[DONE]');

/** A failure as the last event of a stream, with the end marker where the protocol has one. */
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
 * The official generate-content client recognises an error event only by a numeric code, but our specified code is text. It
 * would treat a broken stream as complete. This unfinished comment makes the client wait for the rest and raise an error when
 * none comes. Other event readers ignore it.
 */
const cutMark = ': the answer is not whole\n';

/** Writes bytes that event readers skip. */
export function writeComment(exchange: Exchange): void {
  exchange.outgoing.write(framed(exchange, ':\n\n'));
}

/** Writes events; resolves when the client has caught up. False when it has disconnected. */
export function writeEvents(exchange: Exchange, events: string): Promise<boolean> {
  return writeAll(exchange, framed(exchange, events));
}

/** Writes the last events. What the exchange holds is released just before. */
export function endEvents(exchange: Exchange, lastEvents: string): Promise<void> | void {
  return sendLast(exchange, framed(exchange, lastEvents) + (exchange.isChunked ? lastChunk : ''));
}
