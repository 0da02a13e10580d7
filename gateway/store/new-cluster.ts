import { once } from 'node:events';
import { Worker } from 'node:worker_threads';

/** The data that starts the thread. */
export interface NewClusterData {
  /** Must not be there. */
  readonly dir: string;
  /** Whether it gets every table, and is made as small as it can be. */
  readonly forCopies: boolean;
}

/**
 * Makes a cluster in a thread that ends with it. Making one takes 600 MB, which a thread that goes on would keep.
 * @throws what the thread throws
 */
export async function makeNewCluster(data: NewClusterData): Promise<void> {
  const worker = new Worker(new URL('./new-cluster-worker.ts', import.meta.url), {
    // Options of a process that was given its code as text are not for a file.
    execArgv: [],
    workerData: data,
    name: 'new-cluster',
    stdout: true,
    stderr: true,
  });
  worker.stdout.resume();
  worker.stderr.resume();
  // An error of the thread rejects this.
  const [code] = (await once(worker, 'exit')) as [number];
  if (code !== 0) throw new Error(`the thread that makes a database ended with code ${code}`);
}
