import type { Socket } from 'node:net';
import type { Clock } from '../clock.ts';
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
  readonly onLost: Set<() => void>;
  /** Passes a fault to the readers of bodies; true when it lies in one of their bodies. */
  readonly onFault: Set<(fault: GatewayError) => boolean>;
  /** Runs when the last pending answer is complete. */
  onIdle: (() => void) | null;
}

/**
 * A client that closes its side has left, or has only said all that it has to say: both look alike, until bytes that are sent
 * to it are refused. So an answer may begin, or go on, within this time, ms.
 */
export const halfClosedMs = 1_000;

const connections = new WeakMap<Socket, Connection>();

/** The record of a socket, created on first use; it lives as long as the socket. `clock` is real time. */
export function connectionOf(socket: Socket, clock: Pick<Clock, 'schedule'>): Connection {
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
    for (const onLost of connection.onLost) onLost();
    connection.onLost.clear();
  };
  socket.once('end', () => {
    const { bytesWritten } = socket;
    const waiting = clock.schedule(halfClosedMs, () => {
      // If bytes went out since, a client that has left refuses them, which closes the socket.
      if (socket.bytesWritten !== bytesWritten) return;
      lost();
      socket.destroy();
    });
    socket.once('close', () => waiting.cancel());
  });
  socket.once('close', lost);
  return connection;
}
