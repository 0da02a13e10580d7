import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import type { SentRequest } from './exchange.ts';

/** An answer whose reader has stopped reading after its head. */
export interface SlowAnswer {
  readonly status: number;
  /** Leaves, as a client that disappears. */
  leave(): void;
}

/** Sends a request and reads nothing of the body: what the server may send ahead is all that buffers hold. Rejects when no head comes. */
export async function openSlowly(
  { method, url, headers, body }: SentRequest,
  options: { readonly caPath: string | null; readonly signal: AbortSignal },
): Promise<SlowAnswer> {
  const open = url.startsWith('https:') ? httpsRequest : httpRequest;
  const ca = options.caPath === null ? {} : { ca: readFileSync(options.caPath) };
  const outgoing = open(url, {
    method,
    headers: Object.fromEntries(headers),
    agent: false,
    signal: options.signal,
    ...ca,
  });
  outgoing.end(body);
  const [incoming] = (await once(outgoing, 'response')) as [IncomingMessage];
  incoming.pause();
  // A client that leaves breaks its own connection.
  incoming.on('error', () => undefined);
  outgoing.on('error', () => undefined);
  return { status: incoming.statusCode ?? 0, leave: () => outgoing.destroy() };
}
