import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** So many bytes are on their way at most, beyond what the sockets themselves hold. */
const mostWaiting = 256 * 1024;

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
    passOn(caller, origin, 0);
    passOn(origin, caller, lateMs);
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

/** Bytes, end and reset of one side to the other, in their order. */
function passOn(from: Socket, to: Socket, lateMs: number): void {
  const later = (act: () => void): void => {
    if (lateMs === 0) act();
    else setTimeout(act, lateMs);
  };
  from.setNoDelay(true);
  // Bytes that wait here must not hide from a server how slowly its caller reads.
  let waiting = 0;
  from.on('data', (bytes: Buffer) => {
    waiting += bytes.length;
    if (waiting > mostWaiting) from.pause();
    later(() => {
      const passed = (): void => {
        waiting -= bytes.length;
        if (waiting <= mostWaiting) from.resume();
      };
      if (to.writable) to.write(bytes, passed);
    });
  });
  from.on('end', () => later(() => to.end()));
  from.on('close', (broken) => later(() => (broken ? to.resetAndDestroy() : to.destroySoon())));
}
