import { createServer } from 'node:net';
import { closerOf, listen } from '../http/listen.ts';
import type { BrokenListener } from './broken-listener.ts';

/** A port that accepts every connection, reads everything, and never answers the TLS handshake. */
export async function openTlsStall(): Promise<BrokenListener> {
  const server = createServer((socket) => {
    socket.on('error', () => {}).resume();
  });
  const close = closerOf(server);
  const port = await listen(server);
  return {
    origin: `https://127.0.0.1:${port}`,
    close,
  };
}
