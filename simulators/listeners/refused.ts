import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import type { BrokenListener, Stand } from './broken-listener.ts';

/**
 * A port where nothing listens. Our own end of a connection to `port` occupies it, so nothing else can listen
 * there while the broken listener is open.
 */
export async function openRefused(port: number, stand: Stand): Promise<BrokenListener> {
  const local = stand.port === 0 ? {} : { localPort: stand.port };
  const socket = connect({ port, host: '127.0.0.1', ...local });
  await once(socket, 'connect');
  socket.on('error', () => {});
  const { port: taken } = socket.address() as AddressInfo;
  return {
    origin: `http://${stand.name}:${taken}`,
    close: async () => {
      socket.destroy();
      if (!socket.closed) await once(socket, 'close');
    },
  };
}
