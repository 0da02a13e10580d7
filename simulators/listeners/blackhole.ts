import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { Worker } from 'node:worker_threads';
import type { BrokenListener } from './broken-listener.ts';

/** What a queue of one takes, on any system that drops the packets of those who come after. */
const fillers = 8;
/** Of them, those that the queue itself takes on Linux. */
const seated = 2;

/**
 * A port whose first packet is never answered: somebody listens and accepts nobody, and the queue before him is full.
 * Linux drops what comes then, as a firewall does.
 */
export async function openBlackhole(): Promise<BrokenListener> {
  const wake = new SharedArrayBuffer(4);
  const worker = new Worker(new URL('blackhole-listener.ts', import.meta.url), { workerData: wake });
  const [port] = (await once(worker, 'message')) as [number];
  const sockets = await fill(port);
  return {
    origin: `http://127.0.0.1:${port}`,
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
    // The others never get in and give up some day.
    socket.on('error', () => {});
  }
  return sockets;
}
