import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { passBytes } from '../pass-bytes.ts';

export interface LateRelay {
  readonly url: string;
  close(): Promise<void>;
}

/**
 * Passes bytes between its callers and a server, and each byte of the server so much later. It knows nothing of what it
 * passes on, so that broken HTTP, slow heads and resets arrive as they were sent.
 */
export async function startLateRelay(port: number, lateMs: number): Promise<LateRelay> {
  const open = new Set<Socket>();
  const keep = (socket: Socket): void => {
    open.add(socket);
    socket.once('close', () => open.delete(socket));
    // A side that breaks is told to the other one below.
    socket.on('error', () => undefined);
  };
  const server = createServer({ allowHalfOpen: true }, (caller) => {
    const origin = connect({ host: '127.0.0.1', port, allowHalfOpen: true });
    keep(caller);
    keep(origin);
    passBytes(caller, origin);
    passBytes(origin, caller, lateMs);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: async () => {
      for (const socket of open) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
