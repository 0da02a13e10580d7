import type { Server } from 'node:http';
import { isIPv6 } from 'node:net';

/** The URL of a listening server, without a trailing slash. */
export function ownUrl(server: Server, host: string): string {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the server does not listen on TCP');
  return `http://${isIPv6(host) ? `[${host}]` : host}:${address.port}`;
}
