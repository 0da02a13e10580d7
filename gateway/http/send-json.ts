import type { Exchange } from './exchange.ts';
import { sendPlain } from './send.ts';

/** Sends a value as the whole answer. */
export function sendJson(exchange: Exchange, view: object, status = 200): Promise<void> {
  const body = JSON.stringify(view);
  return sendPlain(exchange, { status, headers: { 'content-type': 'application/json' }, body });
}
