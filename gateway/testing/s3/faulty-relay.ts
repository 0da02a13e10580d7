import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A fault that a relay applies to the bytes that pass it. */
export type RelayFault =
  | { readonly kind: 'none' }
  /** Connections are refused. */
  | { readonly kind: 'gone' }
  /** Requests arrive, and no answer comes back. */
  | { readonly kind: 'silent' }
  /** The connection is cut after this many bytes of the answer or the request. */
  | { readonly kind: 'cut'; readonly of: 'answer' | 'question'; readonly afterBytes: number };

/** A relay in front of a server that applies faults to the traffic. */
export interface FaultyRelay {
  readonly url: string;
  /** Applies a fault to all connections, including open ones. With `times`, to that many connections only. */
  spoil(fault: RelayFault, times?: number): void;
  /** Number of connections that it cut or refused. */
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

/**
 * The two connections of a relay, to the caller and to the server: when one closes, so does the other. `open` contains both
 * meanwhile.
 */
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
