import type { JobResult, JobTarget } from '../../runner/run-input.ts';
import { runJobs } from '../run-jobs.ts';
import { JobDesk } from './job-desk.ts';

/** What judges gateways: any check on any gateway, at any time. */
export interface Bench {
  /** What the check finds; null when the examination ended before it did, or the gateway was withdrawn. */
  judge(target: JobTarget, check: string): Promise<JobResult | null>;
  /** Leaves the jobs of a gateway that is about to be stopped. */
  withdraw(target: JobTarget): void;
  /** Aborted when nothing more is judged, whatever the reason. */
  readonly signal: AbortSignal;
}

export interface BenchOptions {
  readonly seed: number;
  /** How many checks run side by side. */
  readonly lanes: number;
  readonly signal: AbortSignal;
  readonly onJob: (result: JobResult) => void;
}

/**
 * Does some work with a bench. Its runner starts once and stays: a runner for each gateway would spend more time on
 * starting than on judging.
 * @throws Error when the runner breaks down before the work is done
 */
export async function withBench<T>(options: BenchOptions, work: (bench: Bench) => Promise<T>): Promise<T> {
  const { seed, lanes, signal, onJob } = options;
  const desk = await JobDesk.start();
  const ended = new AbortController();
  const end = (): void => {
    ended.abort();
    desk.end();
  };
  signal.addEventListener('abort', end, { once: true });
  const runner = runJobs(
    { targets: [], jobs: [], seed, desk: { url: desk.url, lanes } },
    { concurrency: lanes, signal, onJob: () => undefined },
  );
  // Lanes end only when they are told to: whoever waits for a result would wait forever when they end by themselves.
  const over = runner.then(() => undefined).finally(end);
  over.catch(() => undefined);
  try {
    const bench: Bench = {
      judge: async (target, check) => {
        const result = await desk.judge(target, check);
        if (result !== null) onJob(result);
        return result;
      },
      withdraw: (target) => desk.withdraw(target),
      signal: ended.signal,
    };
    const done = await work(bench);
    end();
    await over;
    return done;
  } finally {
    end();
    signal.removeEventListener('abort', end);
    await over.catch(() => undefined);
    await desk.close();
  }
}
