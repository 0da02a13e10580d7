import { Worker } from 'node:worker_threads';
import type { PgliteWorkerCommand, PgliteWorkerData, PgliteWorkerMessage } from './pglite-worker.ts';
import { reasonOf, StoreError } from './store-errors.ts';

/** A running embedded PostgreSQL. */
export interface EmbeddedServer {
  /** Shuts it down cleanly; resolves when its thread has ended. Harmless after a failure. */
  close(): Promise<void>;
}

/** Starts the thread for an embedded PostgreSQL. It loads its code, then waits for the message that names its database. */
export function startEmbeddedThread(): Worker {
  // stdout and stderr belong to the gateway; what the database prints there is dropped.
  const thread = new Worker(new URL('./pglite-worker.ts', import.meta.url), {
    name: 'embedded-store',
    stdout: true,
    stderr: true,
  });
  thread.stdout.resume();
  thread.stderr.resume();
  return thread;
}

/**
 * Starts the embedded PostgreSQL in its own thread and resolves when it accepts connections on the socket. Rejects with a
 * StoreError if it does not start. If it later ends by itself, `onFailure` is called once. Its connections then break, so no
 * query hangs.
 */
export function startEmbeddedServer(
  data: PgliteWorkerData,
  onFailure: (error: StoreError) => void,
  worker: Worker = startEmbeddedThread(),
): Promise<EmbeddedServer> {
  return new Promise((resolve, reject) => {
    let state: 'starting' | 'serving' | 'over' = 'starting';
    const fail = (cause: unknown): void => {
      const what = state === 'starting' ? 'did not start' : 'stopped';
      const error = new StoreError(
        `The embedded database in ${data.postgresDir} ${what}: ${reasonOf(cause)}.`,
        { cause },
      );
      if (state === 'starting') {
        reject(error);
      } else if (state === 'serving') {
        onFailure(error);
      }
      state = 'over';
    };
    const ended = new Promise<void>((resolveEnded) => {
      worker.on('exit', (code) => {
        fail(new Error(`its thread ended with code ${code}`));
        resolveEnded();
      });
    });
    worker.on('error', fail);
    worker.postMessage(data satisfies PgliteWorkerData);
    worker.on('message', (message: PgliteWorkerMessage) => {
      if (message.kind === 'trapped') {
        fail(new Error(message.reason));
        return;
      }
      state = 'serving';
      resolve({
        close: () => {
          state = 'over';
          worker.postMessage('close' satisfies PgliteWorkerCommand);
          return ended;
        },
      });
    });
  });
}
