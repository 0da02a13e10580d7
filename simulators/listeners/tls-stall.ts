import { createServer } from 'node:net';
import { closerOf, listen } from '../http/listen.ts';
import type { BrokenListener, Stand } from './broken-listener.ts';

/** A port that accepts every connection, reads everything, and never answers the TLS handshake. */
export async function openTlsStall({ host, name, port: wanted }: Stand): Promise<BrokenListener> {
  const server = createServer((socket) => {
    socket.on('error', () => {}).resume();
  });
  const close = closerOf(server);
  const port = await listen(server, wanted, host);
  return {
    origin: `https://${name}:${port}`,
    close,
  };
}
