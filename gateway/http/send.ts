import { dateOf } from './date-of.ts';
import type { Exchange } from './exchange.ts';
import { lingerAtEnd } from './linger.ts';
import { requestIdHeaders } from './request-id-headers.ts';

/** Above this size, all but the last byte of an answer is flushed before the exchange counts as over. */
const largeAnswerBytes = 64 * 1024;
/** A client that has not read the last write within this time has stalled and is disconnected. */
const stalledMs = 600_000;
/** Node discards unread request bodies up to this size, so that the connection can serve the next request. */
const smallBodyBytes = 1024 * 1024;

export interface PlainAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Sends a whole answer. What the exchange holds is released just before the last byte leaves. */
export function sendPlain(exchange: Exchange, answer: PlainAnswer): Promise<void> | void {
  const length = Buffer.byteLength(answer.body);
  writeHead(exchange, answer, length);
  return length <= largeAnswerBytes ? sendLast(exchange, answer.body) : sendLarge(exchange, answer.body);
}

/** Sends the last bytes, once what the exchange holds is released. */
export function sendLast(exchange: Exchange, text: string): Promise<void> | void {
  const end = (): void => void exchange.outgoing.end(text);
  const releasing = exchange.over();
  return releasing === null ? end() : releasing.then(end);
}

async function sendLarge(exchange: Exchange, text: string): Promise<void> {
  const { outgoing } = exchange;
  const body = Buffer.from(text);
  const last = body.length - 1;
  let flushed = true;
  // In pieces, so that each read by a slow client resets the stall timeout.
  for (let at = 0; at < last && flushed; at += largeAnswerBytes) {
    const piece = body.subarray(at, Math.min(at + largeAnswerBytes, last));
    flushed = await writeAll(exchange, piece);
  }
  await exchange.over();
  if (flushed) outgoing.end(body.subarray(last));
}

/** Writes the head of an answer with a body of this many bytes. */
export function writeHead(
  exchange: Exchange,
  { status, headers }: Pick<PlainAnswer, 'status' | 'headers'>,
  length: number,
): void {
  const isLast = mustClose(exchange);
  if (isLast) {
    lingerAtEnd(exchange.incoming.socket, exchange.clock);
    exchange.incoming.resume();
  }
  exchange.outgoing.writeHead(status, {
    ...headers,
    'content-length': String(length),
    ...requestIdHeaders(exchange.requestId, exchange.path),
    date: dateOf(exchange.clock),
    ...(isLast && { connection: 'close' }),
  });
}

/** Writes, and waits until the client has read enough. False when the client has disconnected. */
export function writeAll(exchange: Exchange, data: string | Buffer): Promise<boolean> {
  const { outgoing, gone, clock } = exchange;
  if (gone.aborted || outgoing.destroyed) return Promise.resolve(false);
  if (outgoing.write(data)) return Promise.resolve(true);
  return new Promise((resolve) => {
    const stalled = clock.schedule(stalledMs, () => outgoing.destroy());
    const settle = (): void => {
      stalled.cancel();
      outgoing.off('drain', settle);
      gone.removeEventListener('abort', settle);
      resolve(!gone.aborted);
    };
    outgoing.once('drain', settle);
    gone.addEventListener('abort', settle, { once: true });
  });
}

/** Whether the connection cannot serve another request: its bytes are broken, or too much of a body is unread. */
function mustClose({ incoming, connection }: Exchange): boolean {
  if (incoming.complete) return false;
  // A client that waits for our 100 may send its body or its next request now: the two cannot be distinguished.
  if (connection.fault !== null || incoming.headers.expect !== undefined) return true;
  const length = incoming.headers['content-length'];
  return length === undefined
    ? incoming.headers['transfer-encoding'] !== undefined
    : Number(length) > smallBodyBytes || incoming.readableFlowing !== null;
}
