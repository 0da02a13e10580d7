import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A direction: from the gateway to the server, or back. */
export type Direction = 'there' | 'back';

/** Sits between gateways and their database server. Simulates network and host failures that close no connection. */
export interface DatabaseRelay {
  readonly url: string;
  /** Silences the connections that are open now; new ones work. */
  freeze(): void;
  /** Holds back what is sent in this direction, on all connections, until a call with null releases it. */
  hold(direction: Direction | null): void;
  /** Delivers what the gateway sends so much later, as a server that takes as long for each statement; 0 ends it. */
  slow(ms: number): void;
  /** Ends all connections and refuses new ones until it is undone, as if the server were down. */
  cut(isCut: boolean): void;
  /** Simulates that the gateway's host vanishes: nothing more arrives, and the server sees none of its connections close. */
  vanish(): void;
  close(): Promise<void>;
}

interface Joined {
  isFrozen: boolean;
  readonly held: Record<Direction, Buffer[]>;
  /** On the way to a slow server. */
  readonly late: Buffer[];
  readonly sockets: Record<Direction, Socket>;
}

export async function startDatabaseRelay(url: string): Promise<DatabaseRelay> {
  const { hostname, port } = new URL(url);
  const all = new Set<Joined>();
  let holding: Direction | null = null;
  let isVanished = false;
  let isCut = false;
  let slowMs = 0;

  const deliver = (joined: Joined, chunk: Buffer): void => {
    joined.late.push(chunk);
    setTimeout(() => joined.sockets.there.write(joined.late.shift() ?? ''), slowMs);
  };
  const pass = (joined: Joined, from: Socket, direction: Direction): void => {
    from.on('error', () => {});
    from.on('data', (chunk: Buffer) => {
      if (isVanished || joined.isFrozen) return;
      if (holding === direction) joined.held[direction].push(chunk);
      else if (direction === 'there' && (slowMs > 0 || joined.late.length > 0)) deliver(joined, chunk);
      else joined.sockets[direction].write(chunk);
    });
    from.on('close', () => {
      if (isVanished) return;
      all.delete(joined);
      joined.sockets[direction].destroy();
    });
  };
  const relay = createServer((near) => {
    if (isCut) return void near.destroy();
    const far = connect(Number(port), hostname);
    const joined = {
      isFrozen: false,
      held: { there: [], back: [] },
      late: [],
      sockets: { there: far, back: near },
    };
    all.add(joined);
    pass(joined, near, 'there');
    pass(joined, far, 'back');
  });
  await new Promise<void>((resolve) => relay.listen(0, '127.0.0.1', resolve));
  const own = (relay.address() as AddressInfo).port;
  return {
    url: Object.assign(new URL(url), { hostname: '127.0.0.1', port: String(own) }).href,
    freeze: () => {
      for (const joined of all) joined.isFrozen = true;
    },
    hold: (direction) => {
      holding = direction;
      for (const { held, sockets } of all)
        for (const way of ['there', 'back'] as const)
          if (way !== direction) for (const chunk of held[way].splice(0)) sockets[way].write(chunk);
    },
    slow: (ms) => {
      slowMs = ms;
    },
    cut: (is) => {
      isCut = is;
      if (is) for (const { sockets } of all) for (const socket of Object.values(sockets)) socket.destroy();
    },
    vanish: () => {
      isVanished = true;
    },
    close: async () => {
      for (const { sockets } of all) for (const socket of Object.values(sockets)) socket.destroy();
      await new Promise((resolve) => relay.close(resolve));
    },
  };
}
