import { once } from 'node:events';
import type { AddressInfo, Server } from 'node:net';

/** Has the server, plain or with TLS, listen at a free port of the loopback interface. Resolves with the port. */
export async function listenOnLoopback(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}
