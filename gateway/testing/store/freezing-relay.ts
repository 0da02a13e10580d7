import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { joinSockets } from '../join-sockets.ts';

/** Stands in front of a server, and may fall silent as a network does that has lost its way: nothing is closed. */
export interface FreezingRelay {
  readonly url: string;
  /** Connections that are open now carry nothing any more; new ones do. */
  freeze(): void;
  close(): Promise<void>;
}

export async function startFreezingRelay(url: string): Promise<FreezingRelay> {
  const { hostname, port } = new URL(url);
  const open = new Set<Socket>();
  const relay = createServer((near) => {
    const far = connect(Number(port), hostname);
    joinSockets(near, far, open);
    near.pipe(far).pipe(near);
  });
  await new Promise<void>((resolve) => relay.listen(0, '127.0.0.1', resolve));
  const own = (relay.address() as AddressInfo).port;
  return {
    url: Object.assign(new URL(url), { hostname: '127.0.0.1', port: String(own) }).href,
    freeze: () => {
      for (const socket of open) {
        socket.unpipe();
        socket.pause();
      }
    },
    close: async () => {
      for (const socket of open) socket.destroy();
      await new Promise((resolve) => relay.close(resolve));
    },
  };
}
