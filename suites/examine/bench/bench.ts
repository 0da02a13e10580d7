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
  /** A lane that tells nothing for longer than this ends the bench, ms; usually longer than any check may take. */
  readonly stuckMs?: number;
}

/** Longer than a check may take, with what it waits for before it begins. */
const usualStuckMs = 8 * 60_000;

/** How often is looked for lanes that are stuck, ms. */
const lookEveryMs = 5_000;

/**
 * Does some work with a bench. Its runner starts once and stays: a runner for each gateway would spend more time on
 * starting than on judging.
 * @throws Error when the runner breaks down before the work is done, or a job does not come to its end
 */
export async function withBench<T>(options: BenchOptions, work: (bench: Bench) => Promise<T>): Promise<T> {
  const { seed, lanes, signal, onJob, stuckMs = usualStuckMs } = options;
  const desk = await JobDesk.start();
  const ended = new AbortController();
  const stuck = new AbortController();
  const end = (): void => {
    ended.abort();
    desk.end();
  };
  signal.addEventListener('abort', end, { once: true });
  stuck.signal.addEventListener('abort', end, { once: true });
  const runner = runJobs(
    { targets: [], jobs: [], seed, desk: { url: desk.url, lanes } },
    { concurrency: lanes, signal: AbortSignal.any([signal, stuck.signal]), onJob: () => undefined },
  );
  const watch = setInterval(() => {
    const overdue = desk.overdue(stuckMs);
    if (overdue.length > 0) stuck.abort(new Error(`without an end: ${overdue.join('; ')}`));
  }, lookEveryMs);
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
    if (stuck.signal.aborted) throw stuck.signal.reason;
    return done;
  } finally {
    clearInterval(watch);
    end();
    signal.removeEventListener('abort', end);
    await over.catch(() => undefined);
    await desk.close();
  }
}
