import type { Socket } from 'node:net';

/** Two connections of a relay, the caller's and that to the server: where one closes, the other does. `open` has both meanwhile. */
export function joinSockets(near: Socket, far: Socket, open: Set<Socket>): void {
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
