import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { Worker } from 'node:worker_threads';
import type { BrokenListener, Stand } from './broken-listener.ts';

/** Connections that surely fill a queue of one, on any system that then drops further packets. */
const fillers = 8;
/** How many of them the queue accepts on Linux. */
const seated = 2;

/**
 * A port that never answers the first packet. Its listener accepts no connection, and its queue is full. Linux
 * then drops further packets, as a firewall does.
 */
export async function openBlackhole({ host, name, port: wanted }: Stand): Promise<BrokenListener> {
  const wake = new SharedArrayBuffer(4);
  const worker = new Worker(new URL('blackhole-listener.ts', import.meta.url), {
    workerData: { wake, host, port: wanted },
  });
  const [port] = (await once(worker, 'message')) as [number];
  const sockets = await fill(port);
  return {
    origin: `http://${name}:${port}`,
    close: async () => {
      for (const socket of sockets) socket.destroy();
      const gone = once(worker, 'exit');
      const word = new Int32Array(wake);
      Atomics.store(word, 0, 1);
      Atomics.notify(word, 0);
      await gone;
    },
  };
}

async function fill(port: number): Promise<Socket[]> {
  const sockets: Socket[] = [];
  for (let seat = 0; seat < fillers; seat += 1) {
    const socket = connect(port, '127.0.0.1');
    sockets.push(socket);
    if (seat < seated) await once(socket, 'connect');
    // The remaining connections are never accepted and time out eventually.
    socket.on('error', () => {});
  }
  return sockets;
}
