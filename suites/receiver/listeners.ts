import type { Server } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import {
  type AddressInfo,
  createServer as createNetServer,
  type Server as NetServer,
  type Socket,
} from 'node:net';
import { type AnswerContext, answerRequest } from './answer-request.ts';
import type { KeyPair } from './authority.ts';
import type { Arrival } from './protocol.ts';

/** Loaded without `import`, which would also load all of Node's fetch with this module. */
const { createServer: createHttpServer } = process.getBuiltinModule('node:http');

type Context = Omit<AnswerContext, 'via'>;

/** A server for events that does not listen yet. Without a key it speaks plain HTTP. */
export function createEventServer(context: Context, keys: KeyPair | null, via: Arrival = 'https'): Server {
  const answer = (...[request, response]: Parameters<Parameters<Server['on']>[1]>): void =>
    void answerRequest({ ...context, via }, request, response);
  // Idle connections stay open until the sender closes them.
  const options = { keepAliveTimeout: 120_000 };
  const server =
    keys === null ? createHttpServer(options, answer) : createHttpsServer({ ...options, ...keys }, answer);
  server.on('clientError', (_, socket) => socket.destroy());
  return server;
}

/**
 * A listener to which no gateway may connect. It counts connections, and accepts requests with and without TLS.
 */
export function createCanary(
  context: Context,
  keys: KeyPair,
): { server: NetServer; connections: () => number } {
  let connections = 0;
  const plain = createEventServer(context, null, 'canary-http');
  const secure = createEventServer(context, keys, 'canary-https');
  const server = createNetServer((socket) => {
    connections += 1;
    socket.on('error', () => undefined);
    socket.once('readable', () => {
      const first: Buffer | null = socket.read();
      if (first === null) return;
      // The byte is put back, because the chosen server reads it again.
      socket.unshift(first);
      (first[0] === tlsHandshake ? secure : plain).emit('connection', socket);
    });
  });
  return { server, connections: () => connections };
}

/** The first byte of a TLS connection. */
const tlsHandshake = 0x16;

/** Opens a port; port 0 takes a free one. Rejects when the port is not available. */
export function listenAt(server: NetServer, host: string, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen({ host, port, backlog: 4096 }, () => {
      server.off('error', reject);
      resolve((server.address() as AddressInfo).port);
    });
  });
}

/** Closes servers together with their connections. */
export function closerOf(servers: readonly NetServer[]): () => Promise<void> {
  const sockets = new Set<Socket>();
  for (const server of servers)
    server.on('connection', (socket: Socket) => {
      sockets.add(socket);
      socket.once('close', () => sockets.delete(socket));
    });
  return async () => {
    const closed = servers.map((server) => new Promise<void>((resolve) => server.close(() => resolve())));
    for (const socket of sockets) socket.destroy();
    await Promise.all(closed);
  };
}
