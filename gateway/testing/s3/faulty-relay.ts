import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** What a relay does to the bytes that pass it. */
export type RelayFault =
  | { readonly kind: 'none' }
  /** Nobody is there. */
  | { readonly kind: 'gone' }
  /** Everything arrives, and nothing comes back. */
  | { readonly kind: 'silent' }
  /** The connection is cut after so many bytes of the answer, or of the question. */
  | { readonly kind: 'cut'; readonly of: 'answer' | 'question'; readonly afterBytes: number };

/** Stands in front of a server, and spoils what passes. */
export interface FaultyRelay {
  readonly url: string;
  /** Applies to all connections, also to those that are open; to so many of those cut, then to none. */
  spoil(fault: RelayFault, times?: number): void;
  /** Connections that it cut or refused. */
  readonly spoiled: () => number;
  close(): Promise<void>;
}

export async function startFaultyRelay(url: string): Promise<FaultyRelay> {
  const { hostname, port } = new URL(url);
  const open = new Set<Socket>();
  let fault: RelayFault = { kind: 'none' };
  let left = Number.POSITIVE_INFINITY;
  let spoiled = 0;
  const spend = (): void => {
    spoiled += 1;
    left -= 1;
    if (left <= 0) fault = { kind: 'none' };
  };

  const pass = (from: Socket, to: Socket, direction: 'answer' | 'question'): void => {
    let passed = 0;
    let counted: RelayFault = fault;
    from.on('data', (chunk: Buffer) => {
      if (fault !== counted) [passed, counted] = [0, fault];
      if (fault.kind === 'silent' && direction === 'answer') return;
      if (fault.kind === 'cut' && fault.of === direction) {
        passed += chunk.length;
        if (passed > fault.afterBytes) {
          const kept = Math.max(0, chunk.length - (passed - fault.afterBytes));
          spend();
          to.end(chunk.subarray(0, kept), () => to.destroy());
          from.destroy();
          return;
        }
      }
      if (!to.write(chunk)) from.pause();
    });
    to.on('drain', () => from.resume());
  };
  const relay = createServer((near) => {
    if (fault.kind === 'gone') {
      spend();
      near.destroy();
      return;
    }
    const far = connect(Number(port), hostname);
    joinSockets(near, far, open);
    pass(near, far, 'question');
    pass(far, near, 'answer');
  });
  await new Promise<void>((resolve) => relay.listen(0, '127.0.0.1', resolve));
  const own = (relay.address() as AddressInfo).port;
  return {
    url: Object.assign(new URL(url), { hostname: '127.0.0.1', port: String(own) }).origin,
    spoil: (next, times = Number.POSITIVE_INFINITY) => {
      [fault, left] = [next, times];
      if (next.kind === 'gone') for (const socket of open) socket.destroy();
    },
    spoiled: () => spoiled,
    close: async () => {
      for (const socket of open) socket.destroy();
      await new Promise((resolve) => relay.close(resolve));
    },
  };
}

/** Two connections of a relay, the caller's and that to the server: where one closes, the other does. `open` has both meanwhile. */
function joinSockets(near: Socket, far: Socket, open: Set<Socket>): void {
  for (const [one, other] of [
    [near, far],
    [far, near],
  ] as const) {
    open.add(one);
    one.on('error', () => {});
    one.on('close', () => {
      open.delete(one);
      other.destroy();
    });
  }
}
