import { Socket } from 'node:net';
import type { buildConnector } from 'undici';
import type { Clock } from '../clock.ts';
import { ConnectTimeout } from './transport-errors.ts';

/** Gives a connector a deadline on the gateway's clock: then the attempt ends, whatever its state. */
export function timedConnector(
  connect: buildConnector.connector,
  timeoutMs: number,
  clock: Clock,
): buildConnector.connector {
  return (options, callback) => {
    let settled = false;
    const late = clock.schedule(timeoutMs, () => {
      if (settled) return;
      settled = true;
      if (socket instanceof Socket) socket.destroy();
      callback(new ConnectTimeout(), null);
    });
    // The types do not say so, but the connector returns the socket that it opens.
    const socket: unknown = connect(options, (...result) => {
      late.cancel();
      if (settled) {
        // The call has already timed out.
        result[1]?.destroy();
        return;
      }
      settled = true;
      callback(...result);
    });
    return socket;
  };
}
