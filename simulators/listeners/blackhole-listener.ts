import { type AddressInfo, createServer } from 'node:net';
import { parentPort, workerData } from 'node:worker_threads';

// A listener whose thread stands still accepts nobody. Its word in the shared memory wakes it, to end.
const server = createServer();
server.listen({ host: '127.0.0.1', port: 0, backlog: 1 }, () => {
  parentPort?.postMessage((server.address() as AddressInfo).port);
  Atomics.wait(new Int32Array(workerData as SharedArrayBuffer), 0, 0);
  server.close();
});
