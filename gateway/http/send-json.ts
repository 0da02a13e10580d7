import type { Exchange } from './exchange.ts';
import { sendPlain } from './send.ts';

/** Sends a value as the whole answer. */
export function sendJson(exchange: Exchange, view: object, status = 200): Promise<void> | void {
  return sendView(exchange, view, status, {});
}

/** Like `sendJson`, but forbids caching: for secrets and for the current state of a process. */
export function sendUncachedJson(exchange: Exchange, view: object, status = 200): Promise<void> | void {
  return sendView(exchange, view, status, { 'cache-control': 'no-store' });
}

function sendView(
  exchange: Exchange,
  view: object,
  status: number,
  more: Readonly<Record<string, string>>,
): Promise<void> | void {
  const headers = { 'content-type': 'application/json', ...more };
  return sendPlain(exchange, { status, headers, body: JSON.stringify(view) });
}
