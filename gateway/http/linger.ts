import type { Socket } from 'node:net';
import type { Clock } from '../clock.ts';

/** How long a rejected sender may continue to send before its connection is cut. */
const lingerMs = 2000;

/**
 * Ends our side of a connection and discards what the client still sends for a while. Closing with unread bytes
 * makes the kernel send a reset, which can destroy the answer before the client reads it.
 */
export function lingeringClose(socket: Socket, clock: Clock, last?: Buffer): void {
  if (last === undefined) socket.end();
  else socket.end(last);
  const cut = clock.schedule(lingerMs, () => socket.destroy());
  socket.once('close', () => cut.cancel());
  socket.once('end', () => socket.destroy());
  socket.resume();
}

/** Makes Node linger when it closes a connection after a `connection: close` answer. */
export function lingerAtEnd(socket: Socket, clock: Clock): void {
  socket.destroySoon = () => lingeringClose(socket, clock);
}
