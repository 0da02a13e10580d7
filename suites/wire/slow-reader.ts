import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import type { TlsOptions } from './deployment-connection.ts';
import type { SentRequest } from './exchange.ts';

/** Loaded without `import`, which would also load all of Node's fetch with this module. */
const { request: httpRequest } = process.getBuiltinModule('node:http');

/** An answer whose client stops reading after the head. */
export interface SlowAnswer {
  readonly status: number;
  /** Disconnects. */
  leave(): void;
}

/**
 * Sends a request and reads nothing of its body, so the server can send only what buffers hold.
 * Rejects when no head arrives.
 */
export async function openSlowly(
  { method, url, headers, body }: SentRequest,
  options: { readonly tls: TlsOptions; readonly signal: AbortSignal },
): Promise<SlowAnswer> {
  const open = url.startsWith('https:') ? httpsRequest : httpRequest;
  const outgoing = open(url, {
    method,
    headers: Object.fromEntries(headers),
    agent: false,
    signal: options.signal,
    ...options.tls,
  });
  outgoing.end(body);
  const [incoming] = (await once(outgoing, 'response')) as [IncomingMessage];
  incoming.pause();
  // `destroy` breaks the client's own connection, so its error is expected.
  incoming.on('error', () => undefined);
  outgoing.on('error', () => undefined);
  return { status: incoming.statusCode ?? 0, leave: () => outgoing.destroy() };
}
