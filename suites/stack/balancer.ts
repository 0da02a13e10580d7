import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A plain load balancer: each connection to it goes to the next process, byte for byte. */
export interface Balancer {
  readonly url: string;
  /** From now on connections go to these addresses in turn. */
  leadTo(urls: readonly string[]): void;
  close(): Promise<void>;
}

/** Listens on the loopback interface. Connections are closed at once until `leadTo` is called. */
export async function startBalancer(port: number): Promise<Balancer> {
  const open = new Set<Socket>();
  let targets: readonly URL[] = [];
  let turn = 0;
  const keep = (socket: Socket): void => {
    open.add(socket);
    socket.once('close', () => open.delete(socket));
    // When one side breaks, the relay closes the other side.
    socket.on('error', () => undefined);
  };
  /** Connects to the next process that accepts the connection; ended processes do not. */
  const lead = (caller: Socket, triesLeft: number): void => {
    const target = targets[turn % Math.max(1, targets.length)];
    turn += 1;
    if (target === undefined || triesLeft === 0 || caller.destroyed) {
      caller.resetAndDestroy();
      return;
    }
    const origin = connect({ host: target.hostname, port: Number(target.port), allowHalfOpen: true });
    const next = (): void => lead(caller, triesLeft - 1);
    origin.once('error', next);
    origin.once('connect', () => {
      origin.off('error', next);
      keep(origin);
      passBytes(caller, origin);
      passBytes(origin, caller);
      caller.resume();
    });
  };
  const server = createServer({ allowHalfOpen: true, pauseOnConnect: true }, (caller) => {
    keep(caller);
    lead(caller, targets.length);
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    leadTo: (urls) => {
      targets = urls.map((url) => new URL(url));
    },
    close: async () => {
      for (const socket of open) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** The most bytes under way, beyond the buffers of the sockets. */
const mostWaiting = 256 * 1024;

/** Passes bytes, end and reset of one side on to the other, in their order. */
function passBytes(from: Socket, to: Socket): void {
  from.setNoDelay(true);
  // Bytes that wait here must not hide from a server how slowly its caller reads.
  let waiting = 0;
  from.on('data', (bytes: Buffer) => {
    waiting += bytes.length;
    if (waiting > mostWaiting) from.pause();
    const passed = (): void => {
      waiting -= bytes.length;
      if (waiting <= mostWaiting) from.resume();
    };
    if (to.writable) to.write(bytes, passed);
  });
  from.on('end', () => to.end());
  from.on('close', (broken) => (broken ? to.resetAndDestroy() : to.destroySoon()));
}
