import { Socket } from 'node:net';

/** The connection of the gateway to its database, for tests that cut it. */
export interface StoreLink {
  readonly isStopped: boolean;
  /** Breaks every connection and prevents new ones; resolves when the last one is closed. */
  stop(): Promise<void>;
  start(): void;
  /** Opens a socket for one connection of the pool. */
  readonly openSocket: () => Socket;
}

/** A path without a listener: connecting to it fails like connecting to a stopped database. */
const nowhere = '/nonexistent/gatecheck-stopped-store';

/** A link that tests can cut and restore, for both kinds of database. It cuts the gateway's own sockets. */
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

/** Connects to the database or, while the link is stopped, to the path without a listener. */
class LinkSocket extends Socket {
  readonly #isStopped: () => boolean;

  constructor(isStopped: () => boolean) {
    super();
    this.#isStopped = isStopped;
  }

  override connect(...where: unknown[]): this {
    // Passes every form of the arguments on unchanged: the types list the forms one by one.
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
