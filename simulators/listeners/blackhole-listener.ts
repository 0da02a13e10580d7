import { type AddressInfo, createServer } from 'node:net';
import { parentPort, workerData } from 'node:worker_threads';

// A blocked thread accepts no connections. A write to the shared memory wakes it, and then it ends.
const server = createServer();
server.listen({ host: '127.0.0.1', port: 0, backlog: 1 }, () => {
  parentPort?.postMessage((server.address() as AddressInfo).port);
  Atomics.wait(new Int32Array(workerData as SharedArrayBuffer), 0, 0);
  server.close();
});
