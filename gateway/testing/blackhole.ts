import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { Worker } from 'node:worker_threads';

/** Listens on a port, then never runs again: the kernel takes as many connections as fit, and leaves the rest unanswered. */
const SILENT_SERVER = `
  const { parentPort } = require('node:worker_threads');
  const server = require('node:net').createServer();
  server.listen({ port: 0, host: '127.0.0.1', backlog: 1 }, () => {
    parentPort.postMessage(server.address().port);
    setImmediate(() => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0));
  });`;

/** More connections than fit the backlog of one. */
const FILLING = 4;
/** An answer on the loopback takes less than this by far. */
const UNANSWERED_MS = 150;

/** A port whose connections are neither accepted nor refused (fault T2). */
export async function startBlackhole(): Promise<{ url: string; close: () => Promise<void> }> {
  const worker = new Worker(SILENT_SERVER, { eval: true });
  const [port] = await once(worker, 'message');
  const fillers: Socket[] = [];
  for (let i = 0; i < FILLING; i += 1) {
    const socket = connect(port, '127.0.0.1').on('error', () => {});
    fillers.push(socket);
    socket.setTimeout(UNANSWERED_MS);
    await Promise.race([once(socket, 'connect'), once(socket, 'timeout')]);
  }
  return {
    url: `http://127.0.0.1:${port}`,
    close: async () => {
      for (const socket of fillers) socket.destroy();
      await worker.terminate();
    },
  };
}
