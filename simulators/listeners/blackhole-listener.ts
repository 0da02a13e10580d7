import { type AddressInfo, createServer } from 'node:net';
import { parentPort, workerData } from 'node:worker_threads';

// A blocked thread accepts no connections. A write to the shared memory wakes it, and then it ends.
const { wake, host, port } = workerData as { wake: SharedArrayBuffer; host: string; port: number };
const server = createServer();
server.listen({ host, port, backlog: 1 }, () => {
  parentPort?.postMessage((server.address() as AddressInfo).port);
  Atomics.wait(new Int32Array(wake), 0, 0);
  server.close();
});
