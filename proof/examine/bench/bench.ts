import { Semaphore } from '../../../suites/engine/semaphore.ts';
import { unlessAborted } from '../../../suites/process/unless-aborted.ts';
import { openJobs } from '../../../suites/runner/jobs.ts';
import type { JobResult, JobTarget } from '../../../suites/runner/run-input.ts';
import { usualInput } from '../run-jobs.ts';

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
  readonly width: number;
  readonly signal: AbortSignal;
  readonly onJob: (result: JobResult) => void;
  /** A job that takes longer ends the bench, ms; usually longer than any check may take. */
  readonly stuckMs?: number;
}

/** Longer than a check may take, with what it waits for before it begins. */
const usualStuckMs = 8 * 60_000;

/**
 * Does some work with a bench. Its jobs share tenants and clock lock, so it opens them once for all gateways.
 * @throws Error when a job does not come to its end
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
