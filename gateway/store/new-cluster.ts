import { once } from 'node:events';
import { Worker } from 'node:worker_threads';

/** The data that starts the thread. */
export interface NewClusterData {
  /** Must not exist. */
  readonly dir: string;
  /** Whether the cluster gets every table and is made as small as possible. */
  readonly forCopies: boolean;
}

/**
 * Creates a cluster in a thread of its own. Creation takes 600 MB of memory, which a longer-lived thread would keep.
 * @throws what the thread throws
 */
export async function makeNewCluster(data: NewClusterData): Promise<void> {
  const worker = new Worker(new URL('./new-cluster-worker.ts', import.meta.url), {
    // Options of a process that was started with code as text are invalid for a file.
    execArgv: [],
    workerData: data,
    name: 'new-cluster',
    stdout: true,
    stderr: true,
  });
  worker.stdout.resume();
  worker.stderr.resume();
  // `once` rejects on an error event of the thread.
  const [code] = (await once(worker, 'exit')) as [number];
  if (code !== 0) throw new Error(`the thread that makes a database ended with code ${code}`);
}
