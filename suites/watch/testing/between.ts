import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { expect } from 'vitest';
import type { Passing, Unjudged } from '../connection-tap.ts';
import { MemoryBudget } from '../memory-budget.ts';
import { startRelay } from '../relay.ts';

/** Clean-up functions of what a test has opened. */
export const open: (() => Promise<unknown> | unknown)[] = [];

/** Closes everything at the end of each test. */
export async function closeAll(): Promise<void> {
  for (const close of open.splice(0)) await close();
}

export interface Between {
  readonly client: Socket;
  readonly deployment: Socket;
  readonly toClient: () => string;
  readonly toDeployment: () => string;
  readonly passing: Passing[];
  readonly unjudged: Unjudged[];
  readonly memory: MemoryBudget;
}

/** A client and a deployment with a relay between them. */
export async function between({ perExchange = 1_000_000 } = {}): Promise<Between> {
  const server = createServer({ allowHalfOpen: true });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('it does not listen');
  const [passing, unjudged]: [Passing[], Unjudged[]] = [[], []];
  const memory = new MemoryBudget(perExchange, 2_000_000);
  const relay = await startRelay({
    ...{ upstream: new URL(`http://localhost:${address.port}/`), host: '127.0.0.1', port: 0, memory },
    onPassing: (one) => passing.push(one),
    onUnjudged: (why) => unjudged.push(why),
  });
  const accepted = once(server, 'connection') as Promise<[Socket]>;
  const client = connect({ port: Number(new URL(relay.url).port), host: '127.0.0.1', allowHalfOpen: true });
  const [deployment] = await accepted;
  open.push(
    () => relay.close(),
    () => server.close(),
    () => client.destroy(),
    () => deployment.destroy(),
  );
  client.on('error', () => undefined);
  deployment.on('error', () => undefined);
  return {
    client,
    deployment,
    toClient: kept(client),
    toDeployment: kept(deployment),
    passing,
    unjudged,
    memory,
  };
}

/** The bytes that have arrived, as text. */
export function kept(socket: Socket): () => string {
  let text = '';
  socket.on('data', (bytes: Buffer) => {
    text += bytes.toString('latin1');
  });
  return () => text;
}

export const until = (holds: () => boolean): Promise<void> =>
  expect.poll(holds, { timeout: 10_000 }).toBe(true) as unknown as Promise<void>;

export const request = 'POST /api/v1/chat/completions HTTP/1.1\r\nX-oDD: a  b\r\nContent-Length: 2\r\n\r\n{}';
