import type { AddressInfo, Server, Socket } from 'node:net';

/** Listens, on the loopback address by default, and returns the port; port 0 takes a free one. */
export function listen(server: Server, port = 0, host = '127.0.0.1'): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    // The backlog holds the bursts of concurrency checks.
    server.listen({ host, port, backlog: 4096 }, () => {
      server.off('error', reject);
      resolve((server.address() as AddressInfo).port);
    });
  });
}

/** Returns a function that closes the server and all connections accepted from now on, including those in a TLS handshake. */
export function closerOf(server: Server): () => Promise<void> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  });
  return async () => {
    const closed = new Promise<void>((resolve) => server.close(() => resolve()));
    for (const socket of sockets) socket.destroy();
    await closed;
  };
}
