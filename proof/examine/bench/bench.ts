import { Semaphore } from '../../../suites/engine/semaphore.ts';
import { unlessAborted } from '../../../suites/process/unless-aborted.ts';
import { openJobs } from '../../../suites/runner/jobs.ts';
import type { JobResult, JobTarget } from '../../../suites/runner/run-input.ts';
import { usualInput } from '../run-jobs.ts';

/** What judges gateways: any check on any gateway, at any time. */
export interface Bench {
  /** The result of the check; null if the examination ended before, or the gateway was withdrawn. */
  judge(target: JobTarget, check: string): Promise<JobResult | null>;
  /** Abandons the jobs of a gateway that is about to be stopped. */
  withdraw(target: JobTarget): void;
  /** Aborted when nothing more is judged, whatever the reason. */
  readonly signal: AbortSignal;
}

export interface BenchOptions {
  readonly seed: number;
  /** Number of checks that run in parallel. */
  readonly width: number;
  readonly signal: AbortSignal;
  readonly onJob: (result: JobResult) => void;
  /** Time limit of a job in ms, after which the bench fails; by default above that of any check. */
  readonly stuckMs?: number;
}

/** Above the time limit of a check plus its waits before the start. */
const usualStuckMs = 8 * 60_000;

/**
 * Runs `work` with a bench. Jobs share tenants and the clock lock, so both are opened once for all gateways.
 * @throws Error if a job never ends
 */
export async function withBench<T>(options: BenchOptions, work: (bench: Bench) => Promise<T>): Promise<T> {
  const { seed, width, signal, onJob, stuckMs = usualStuckMs } = options;
  const jobs = await openJobs({ ...usualInput, targets: [], jobs: [], seed, width });
  const ended = new AbortController();
  const over = AbortSignal.any([signal, ended.signal]);
  const gate = new Semaphore(width);
  const withdrawn = new Map<string, AbortController>();
  const leavingOf = (target: JobTarget): AbortController => {
    const leaving = withdrawn.get(target.id) ?? new AbortController();
    withdrawn.set(target.id, leaving);
    return leaving;
  };
  const judgeNow = async (target: JobTarget, check: string, left: AbortSignal): Promise<JobResult | null> => {
    if (left.aborted) return null;
    const limit = AbortSignal.timeout(stuckMs);
    const result = await unlessAborted(jobs.judgeOn(target, check, over), AbortSignal.any([left, limit]));
    if (limit.aborted) ended.abort(new Error(`without an end: ${check} on ${target.id}`));
    return result;
  };
  const bench: Bench = {
    judge: async (target, check) => {
      const left = AbortSignal.any([over, leavingOf(target).signal]);
      const job = gate.pass(() => judgeNow(target, check, left));
      const result = await unlessAborted(job, left);
      if (result !== null) onJob(result);
      return result;
    },
    withdraw: (target) => leavingOf(target).abort(),
    signal: over,
  };
  try {
    const done = await work(bench);
    if (ended.signal.aborted) throw ended.signal.reason;
    return done;
  } finally {
    ended.abort();
    await jobs.close();
  }
}
