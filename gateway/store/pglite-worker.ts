import { existsSync } from 'node:fs';
import { parentPort } from 'node:worker_threads';
import { PGlite } from '@electric-sql/pglite';
import { takeKeptCluster } from './kept-cluster.ts';
import { makeNewCluster } from './new-cluster.ts';
import { SessionServer } from './session-server.ts';

// Entry of the worker thread that runs the embedded PostgreSQL. Its statements block their thread, and requests of
// the gateway must not wait for them.

/** The first message to the thread: which cluster to serve. */
export interface PgliteWorkerData {
  /** Directory of the cluster; created if it does not exist. */
  postgresDir: string;
  socketPath: string;
  /** Where new clusters are copied from; each is made anew if absent. */
  keptIn?: string;
}

/** Messages from the thread: it is ready for queries, or it failed and ends. An error or exit event may come instead. */
export type PgliteWorkerMessage = { kind: 'ready' } | { kind: 'trapped'; reason: string };

/** The command to the thread to close the database and end. */
export type PgliteWorkerCommand = 'close';

const settings = [
  // No statistics are collected here. By default the planner would then sort due rows although an index has them in order.
  ...['-c', 'random_page_cost=1.1'],
  // PostgreSQL fills its buffers with zeros at start, so each costs memory even if unused. The cache of the operating system
  // serves the rest. There is one session, regardless of the number of clients.
  ...['-c', 'shared_buffers=16MB'],
  ...['-c', 'max_connections=10'],
];

async function serve({ postgresDir, socketPath, keptIn }: PgliteWorkerData): Promise<void> {
  if (!existsSync(postgresDir)) {
    if (keptIn === undefined) await makeNewCluster({ dir: postgresDir, forCopies: false });
    else await takeKeptCluster(postgresDir, keptIn);
  }
  const database = await PGlite.create(postgresDir, {
    startParams: [...PGlite.defaultStartParams, ...settings],
  });
  endAtTheFirstTrap(database);
  const server = new SessionServer(database, failLoudly);
  await server.listen(socketPath);
  parentPort?.once('message', (_command: PgliteWorkerCommand) => {
    void server
      .close()
      .then(() => database.close())
      .then(() => process.exit(0), failLoudly);
  });
  post({ kind: 'ready' });
}

/** The exit status with which PostgreSQL, compiled to WebAssembly, leaves a statement after an ordinary error. */
const longjmpStatus = 100;

/**
 * PGlite ignores every exception of its engine, even a WebAssembly trap (an exhausted stack, a bad memory access).
 * The statement then looks like a success without rows, and the engine goes on with corrupt memory. An
 * acknowledgement must not rest on that, so a trap ends the thread before its answer.
 */
function endAtTheFirstTrap(database: PGlite): void {
  const engine = database.Module;
  const mainLoopOnce = engine._PostgresMainLoopOnce;
  engine._PostgresMainLoopOnce = () => {
    try {
      mainLoopOnce();
    } catch (error) {
      if (error instanceof Error || statusOf(error) !== longjmpStatus) {
        post({ kind: 'trapped', reason: asError(error).message });
        process.exit(1);
      }
      throw error;
    }
  };
}

function statusOf(thrown: unknown): unknown {
  return typeof thrown === 'object' && thrown !== null && 'status' in thrown ? thrown.status : undefined;
}

/** Makes an Error of anything thrown: the engine also throws plain objects. */
function asError(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error(`the engine left with status ${statusOf(thrown)}`);
}

function post(message: PgliteWorkerMessage): void {
  parentPort?.postMessage(message);
}

/** Throws outside every promise, so that the thread ends and the parent gets the error. */
function failLoudly(error: unknown): void {
  setImmediate(() => {
    throw asError(error);
  });
}

parentPort?.once('message', (data: PgliteWorkerData) => void serve(data).catch(failLoudly));
