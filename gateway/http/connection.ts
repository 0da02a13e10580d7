import type { Socket } from 'node:net';
import type { GatewayError } from '../errors/gateway-error.ts';

/**
 * What the gateway knows about one client connection beyond what Node tells a request: Node does not notify
 * requests that wait in a pipeline when their connection dies, and reports broken bytes per socket only.
 */
export interface Connection {
  /** Requests whose answer is not complete yet. */
  pending: number;
  /** Set once when the bytes of the client could not be parsed; nothing after it is a request. */
  fault: GatewayError | null;
  readonly onLost: Set<() => void>;
  /** Offers a fault to the readers of bodies; true when it lies in the body of one of them. */
  readonly onFault: Set<(fault: GatewayError) => boolean>;
  /** Runs when the last pending answer is complete. */
  onIdle: (() => void) | null;
}

const connections = new WeakMap<Socket, Connection>();

/** The record of a socket, made on first sight; it lives as long as the socket. */
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
  const lost = (): void => {
    for (const tell of connection.onLost) tell();
    connection.onLost.clear();
  };
  // A client that closes its side has left: waiting for the reset that the next write would bring costs upstream money.
  socket.once('end', lost);
  socket.once('close', lost);
  return connection;
}
