import type { AddressInfo } from 'node:net';
import { connect, createServer, type Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { read } from '../wire.ts';

/** A load balancer for connections, which polls the readiness of each gateway. */
export interface Balancer {
  readonly url: string;
  /** The addresses that receive connections in turn while they are ready. */
  readonly backends: Set<string>;
  close(): Promise<void>;
}

/** Poll interval in ms, and the number of failed polls before a gateway gets no more connections. */
export const askedEachMs = 200;

export async function startBalancer(): Promise<Balancer> {
  const backends = new Set<string>();
  const ready = new Set<string>();
  const open = new Set<Socket>();
  const over = new AbortController();
  let turn = 0;
  const server = createServer((caller) => {
    const choices = [...backends].filter((url) => ready.has(url));
    const choice = choices[turn % choices.length];
    turn += 1;
    if (choice === undefined) caller.destroy();
    else join(caller, connect(Number(new URL(choice).port), '127.0.0.1'), open);
  });
  const asking = (async () => {
    while (!over.signal.aborted) {
      await Promise.all([...backends].map(async (url) => note(ready, url, await isReady(url))));
      await wait(askedEachMs, undefined, { signal: over.signal }).catch(() => {});
    }
  })();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    backends,
    close: async () => {
      over.abort();
      await asking;
      for (const socket of open) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function note(ready: Set<string>, url: string, isReady: boolean): void {
  if (isReady) ready.add(url);
  else ready.delete(url);
}

async function isReady(url: string): Promise<boolean> {
  return await read(`${url}/readyz`).then(
    ({ status }) => status === 200,
    () => false,
  );
}

function join(caller: Socket, gateway: Socket, open: Set<Socket>): void {
  for (const [one, other] of [
    [caller, gateway],
    [gateway, caller],
  ] as const) {
    open.add(one);
    one.on('error', () => other.destroy());
    one.on('close', () => {
      open.delete(one);
      other.destroySoon();
    });
    one.pipe(other);
  }
}
