import cluster, { type Worker } from 'node:cluster';
import { RealClock } from '../clock.ts';
import { openLog } from '../log/open-log.ts';
import { StartFailure } from '../start-config.ts';
import { backoffMs } from '../work/backoff.ts';
import type { Beginning, FromWorker, ToWorker } from './messages.ts';
import { Questions } from './questions.ts';
import { WorkerMetrics } from './worker-metrics.ts';

/** The worker processes of a gateway, from the view of the first process. */
export interface Workers {
  /** Resolves when all workers listen. Rejects with the reason if one ended before. */
  readonly url: Promise<string>;
  /** Makes all workers drain and end. */
  stop(): Promise<void>;
  /** Kills all workers. */
  kill(): void;
}

/** Waits before a worker is restarted: after its first end, and at most. */
const againMs = 100;
const mostAgainMs = 5_000;
/** A worker that lived this long resets the waits. */
const provenMs = 10_000;
const logDescriptor = 2;

/**
 * Starts worker processes behind one listening socket. This process distributes connections to them in turn. It restarts each
 * worker that ends by itself, after a wait.
 */
export function runWorkers(config: Omit<Beginning, 'number'>, count: number): Workers {
  // Workers receive signals directly and no standard input.
  cluster.setupPrimary({ stdio: ['ignore', 'ignore', 'inherit', 'ipc'], serialization: 'advanced' });
  cluster.schedulingPolicy = cluster.SCHED_RR;
  const { log, flush } = openLog(logDescriptor);
  const timer = new RealClock();
  const live = new Map<Worker, Promise<void>>();
  const metrics = new WorkerMetrics();
  const questions = new Questions(timer, metrics);
  let isStopping = false;
  let haveStarted = false;

  /** Starts one worker. Resolves with its address once it listens, or with its exit code if it ends before. */
  const start = (number: number): Promise<string> => {
    const began = timer.monotonic();
    const worker = cluster.fork();
    let listens = false;
    const { promise: url, resolve, reject } = Promise.withResolvers<string>();
    const ended = Promise.withResolvers<void>();
    live.set(worker, ended.promise);
    worker.on('message', (message: FromWorker) => {
      if (message.is === 'ready') {
        listens = true;
        questions.add(worker);
        resolve(message.url);
      } else if (message.is === 'ask') questions.ask(worker, message);
      else questions.answer(worker, message);
    });
    worker.on('error', () => {});
    worker.once('exit', (code, signal) => {
      live.delete(worker);
      questions.remove(worker);
      reject(new StartFailure('A worker process has ended before it listened.', code || 1));
      ended.resolve();
      if (!isStopping && (listens || haveStarted)) again(number, began, { code, signal });
    });
    tell(worker, { is: 'begin', ...config, number });
    return url;
  };
  const failures = new Map<number, number>();
  const again = (number: number, began: number, how: object): void => {
    const nth = timer.monotonic() - began >= provenMs ? 0 : (failures.get(number) ?? 0);
    failures.set(number, nth + 1);
    const waitMs = backoffMs(nth, againMs, mostAgainMs);
    metrics.restarted();
    log.error({ worker: number, ...how, again_in_ms: waitMs }, 'a worker process has ended');
    timer.schedule(waitMs, () => {
      if (!isStopping) start(number).catch(() => {});
    });
  };
  const url = startAll(count, start);
  url.then(
    () => {
      haveStarted = true;
    },
    () => {},
  );
  return {
    url,
    stop: async () => {
      isStopping = true;
      for (const worker of live.keys()) tell(worker, { is: 'stop' });
      await Promise.all(live.values());
      await flush();
    },
    kill: () => {
      isStopping = true;
      for (const worker of live.keys()) worker.process.kill('SIGKILL');
    },
  };
}

/** The first worker prepares the database; then the others start together. */
async function startAll(count: number, start: (number: number) => Promise<string>): Promise<string> {
  const url = await start(1);
  const others = Array.from({ length: count - 1 }, (_, place) => start(place + 2));
  await Promise.all(others);
  return url;
}

function tell(worker: Worker, message: ToWorker): void {
  if (worker.isConnected()) worker.send(message, () => {});
}
