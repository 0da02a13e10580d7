import { Socket } from 'node:net';

/** The way from the gateway to its database, for tests that want it cut. */
export interface StoreLink {
  readonly isStopped: boolean;
  /** Breaks every connection and lets none come about; resolves when the last one is gone. */
  stop(): Promise<void>;
  start(): void;
  /** A socket for one connection of the pool. */
  readonly openSocket: () => Socket;
}

/** Where nobody ever listens: dialling it fails as a database does that is not running. */
const nowhere = '/nonexistent/gatecheck-stopped-store';

/** A way that can be cut and mended, for a database of either kind: what is cut are our own sockets to it. */
export function createStoreLink(): StoreLink {
  const open = new Set<Socket>();
  let isStopped = false;
  return {
    get isStopped() {
      return isStopped;
    },
    stop: async () => {
      isStopped = true;
      await Promise.all([...open].map(breakOff));
    },
    start: () => {
      isStopped = false;
    },
    openSocket: () => {
      const socket = new LinkSocket(() => isStopped);
      open.add(socket);
      socket.once('close', () => open.delete(socket));
      return socket;
    },
  };
}

/** Dials the database, or, while the link is stopped, nowhere. */
class LinkSocket extends Socket {
  readonly #isStopped: () => boolean;

  constructor(isStopped: () => boolean) {
    super();
    this.#isStopped = isStopped;
  }

  override connect(...where: unknown[]): this {
    // Every form of the arguments goes on as it came: the types list them one by one.
    Reflect.apply(super.connect, this, this.#isStopped() ? [nowhere] : where);
    return this;
  }
}

function breakOff(socket: Socket): Promise<void> {
  return new Promise((resolve) => {
    socket.once('close', () => resolve());
    socket.destroy();
  });
}
