import { createServer } from 'node:net';
import type { Door } from './door.ts';
import { closerOf, listenAt } from './listen.ts';

/** A port that takes every connection, reads what comes, and never answers TLS. */
export async function openTlsStall(): Promise<Door> {
  const server = createServer((socket) => {
    socket.on('error', () => {}).resume();
  });
  const close = closerOf(server);
  const port = await listenAt(server);
  return {
    origin: `https://127.0.0.1:${port}`,
    close,
  };
}
