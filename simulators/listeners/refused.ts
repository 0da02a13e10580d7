import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import type { BrokenListener } from './broken-listener.ts';

/**
 * A port where nothing listens. Our own end of a connection to `port` occupies it, so nothing else can listen
 * there while the broken listener is open.
 */
export async function openRefused(port: number): Promise<BrokenListener> {
  const socket = connect(port, '127.0.0.1');
  await once(socket, 'connect');
  socket.on('error', () => {});
  const { port: taken } = socket.address() as AddressInfo;
  return {
    origin: `http://127.0.0.1:${taken}`,
    close: async () => {
      socket.destroy();
      if (!socket.closed) await once(socket, 'close');
    },
  };
}
