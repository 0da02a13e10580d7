import type { Socket } from 'node:net';
import type { GatewayError } from '../errors/gateway-error.ts';

/**
 * What the gateway tracks about a client connection beyond what Node reports to a request. Node does not notify
 * pipelined requests when their connection dies, and it reports broken bytes only per socket.
 */
export interface Connection {
  /** Number of requests whose answer is not complete yet. */
  pending: number;
  /** Set once the client's bytes could not be parsed; no further request can follow. */
  fault: GatewayError | null;
  /** Runs when the client closes its side, after which it may still read, and when the connection is gone. */
  readonly onLost: Set<(mayRead: boolean) => void>;
  /** Passes a fault to the readers of bodies; true when it lies in one of their bodies. */
  readonly onFault: Set<(fault: GatewayError) => boolean>;
  /** Runs when the last pending answer is complete. */
  onIdle: (() => void) | null;
}

const connections = new WeakMap<Socket, Connection>();

/** The record of a socket, created on first use; it lives as long as the socket. */
export function connectionOf(socket: Socket): Connection {
  const known = connections.get(socket);
  if (known !== undefined) return known;
  const connection: Connection = {
    pending: 0,
    fault: null,
    onLost: new Set(),
    onFault: new Set(),
    onIdle: null,
  };
  connections.set(socket, connection);
  socket.once('end', () => {
    for (const onLost of connection.onLost) onLost(true);
  });
  socket.once('close', () => {
    for (const onLost of connection.onLost) onLost(false);
    connection.onLost.clear();
  });
  return connection;
}
