import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { expect, it } from 'vitest';
import { startLateRelay } from './late-relay.ts';

/** What a caller gets through the relay from a server that does so with each connection, and how it ends. */
async function through(
  serve: (socket: Socket) => void,
): Promise<{ text: string; ending: string; ms: number }> {
  const server = createServer(serve).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const relay = await startLateRelay((server.address() as AddressInfo).port, 40);
  const began = performance.now();
  const caller = connect(Number(new URL(relay.url).port), '127.0.0.1');
  caller.write('hello');
  let text = '';
  let ending = 'end';
  caller.on('data', (bytes: Buffer) => {
    text += bytes.toString('latin1');
  });
  caller.on('error', (error: NodeJS.ErrnoException) => {
    ending = error.code ?? '';
  });
  await once(caller, 'close').catch(() => undefined);
  await relay.close();
  await new Promise((resolve) => server.close(resolve));
  return { text, ending, ms: performance.now() - began };
}

it('passes on what the server sends, in its order and later', async () => {
  const seen = await through((socket) =>
    socket.once('data', (bytes: Buffer) => {
      socket.write(`no HTTP: ${bytes.toString('latin1')}`);
      socket.end(', the end');
    }),
  );
  expect(seen).toMatchObject({ text: 'no HTTP: hello, the end', ending: 'end' });
  expect(seen.ms).toBeGreaterThanOrEqual(39);
});

it('passes on a reset after what came before it', async () => {
  const seen = await through((socket) =>
    socket.once('data', () => {
      socket.write('a part', () => setTimeout(() => socket.resetAndDestroy(), 100));
    }),
  );
  expect(seen).toMatchObject({ text: 'a part', ending: 'ECONNRESET' });
});
