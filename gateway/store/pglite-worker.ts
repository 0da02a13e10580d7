import { parentPort, workerData } from 'node:worker_threads';
import { PGlite } from '@electric-sql/pglite';
import { SessionServer } from './session-server.ts';

// Entry of the worker thread that runs the embedded PostgreSQL: its statements block their thread, and the
// requests of the gateway must not wait for them.

/** What the thread is started with. */
export interface PgliteWorkerData {
  /** Directory of the cluster; made when it is not there. */
  postgresDir: string;
  socketPath: string;
}

/** What the thread says: that queries are served, or why it ends at once. An error or its end may come too. */
export type PgliteWorkerMessage = { kind: 'ready' } | { kind: 'trapped'; reason: string };

/** What the thread is told: to close the database and end. */
export type PgliteWorkerCommand = 'close';

async function serve({ postgresDir, socketPath }: PgliteWorkerData): Promise<void> {
  const database = await PGlite.create(postgresDir);
  endAtTheFirstTrap(database);
  const server = new SessionServer(database, failLoudly);
  await server.listen(socketPath);
  parentPort?.once('message', (_command: PgliteWorkerCommand) => {
    void server
      .close()
      .then(() => database.close())
      .then(() => process.exit(0), failLoudly);
  });
  tell({ kind: 'ready' });
}

/** How PostgreSQL, compiled to WebAssembly, leaves a statement that failed in the ordinary way. */
const longjmpStatus = 100;

/**
 * PGlite passes over every exception that its engine throws, a trap of WebAssembly too (an exhausted stack, a
 * bad memory access): the statement then looks like a success without rows, and the engine goes on with
 * memory in any state. An acknowledgement must not rest on that, so a trap ends the thread before its answer.
 */
function endAtTheFirstTrap(database: PGlite): void {
  const engine = database.Module;
  const mainLoopOnce = engine._PostgresMainLoopOnce;
  engine._PostgresMainLoopOnce = () => {
    try {
      mainLoopOnce();
    } catch (error) {
      if (error instanceof Error || statusOf(error) !== longjmpStatus) {
        tell({ kind: 'trapped', reason: asError(error).message });
        process.exit(1);
      }
      throw error;
    }
  };
}

function statusOf(thrown: unknown): unknown {
  return typeof thrown === 'object' && thrown !== null && 'status' in thrown ? thrown.status : undefined;
}

/** The engine throws plain objects too. */
function asError(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error(`the engine left with status ${statusOf(thrown)}`);
}

function tell(message: PgliteWorkerMessage): void {
  parentPort?.postMessage(message);
}

/** Thrown outside every promise, so that it ends the thread and reaches the parent as its error. */
function failLoudly(error: unknown): void {
  setImmediate(() => {
    throw asError(error);
  });
}

serve(workerData as PgliteWorkerData).catch(failLoudly);
