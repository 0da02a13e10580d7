import type { CheckResult, Spent } from 'gatecheck-reports/report';
import { isRed } from 'gatecheck-reports/verdict-words';
import { areaOf } from '../checks/areas.ts';
import { tellsOfEnd } from '../engine/check-is-over.ts';
import { Semaphore } from '../engine/semaphore.ts';
import { unlessAborted } from '../process/unless-aborted.ts';
import { Collected } from './collected.ts';
import { type Around, type Jobs, loadChecks, openJobs } from './jobs.ts';
import type { Job, JobResult, RunInput } from './run-input.ts';
import { jobName } from './run-job.ts';

export interface ExecuteOptions {
  /** The most checks that run side by side; others may wait for the clock. */
  readonly concurrency: number;
  /** Stop after this many failures; 0 never stops. */
  readonly bail: number;
  /** Aborted when the user interrupts the run. Results so far are kept. */
  readonly signal: AbortSignal;
  readonly onResult: (result: JobResult) => void;
  readonly around?: Around;
}

export interface Execution {
  readonly results: readonly JobResult[];
  /** Faults of the runner itself; empty when there were none. */
  readonly faults: readonly string[];
  /** What all jobs sent together; null when none ended. */
  readonly spent: Spent | null;
  /** The limit of the budget that ended the run; null when none did. */
  readonly stopped: string | null;
  /** Whether the deployment became unreachable before the end. */
  readonly isGone: boolean;
  /** Sentences about the run that readers of the report need. */
  readonly notices: readonly string[];
  /** The results of all exchanges together, one for each row; empty when not requested. */
  readonly every: readonly CheckResult[];
}

/**
 * How long no check may send anything, ms; then those that still run are stuck. While others send, a check may be waiting for
 * a tenant or for the clock, and how long that takes depends on the machine and on the size of the run.
 */
const silenceLimitMs = 900_000;

/** The longest time of a check that goes on sending, ms. */
const jobLimitMs = 8 * silenceLimitMs;

/** How long a run may take to put its targets in order at its end, ms. */
const closeLimitMs = 60_000;

/**
 * Preloads the modules for these checks while other things start, because loading takes longer than the rest of a short run.
 */
export async function preloadChecks(checks: readonly string[]): Promise<void> {
  await loadChecks(new Set(checks.map(areaOf)));
}

/** The methods of jobs that a run uses. */
export type RunnableJobs = Pick<Jobs, 'judge' | 'judgeRedAgain' | 'totals' | 'everyResults' | 'close'>;

/** Runs all jobs concurrently in this process, so that tenants, clock lock and budget are shared. */
export async function execute(
  given: Omit<RunInput, 'width'>,
  options: ExecuteOptions,
  open: (input: RunInput, around?: Around) => Promise<RunnableJobs> = openJobs,
): Promise<Execution> {
  const collected = new Collected(options.onResult);
  const input = { ...given, width: options.concurrency };
  const release = catchUnhandled(collected);
  try {
    const jobs = await open(input, options.around);
    try {
      await new Run(jobs, collected, options).run(input);
    } finally {
      await within(closeLimitMs, jobs.close());
    }
  } catch (error) {
    collected.fault(error);
  } finally {
    release();
  }
  const { results, faults, spent, stopped, isGone, notices, every } = collected;
  return { results, faults, spent, stopped, isGone, notices, every };
}

class Run {
  readonly #jobs: RunnableJobs;
  readonly #collected: Collected;
  readonly #options: ExecuteOptions;
  readonly #bailed = new AbortController();
  /** Aborted when no job may continue. */
  readonly #ended: AbortSignal;
  /** Aborted when no check has sent anything for too long. */
  readonly #silent = new AbortController();
  #failures = 0;

  constructor(jobs: RunnableJobs, collected: Collected, options: ExecuteOptions) {
    this.#jobs = jobs;
    this.#collected = collected;
    this.#options = options;
    this.#ended = AbortSignal.any([options.signal, this.#bailed.signal]);
  }

  async run({ jobs, targets, judgeAgain }: RunInput): Promise<void> {
    const tenants = targets.map(({ profile }) => profile.tenants.length);
    const gate = new Semaphore(Math.max(this.#options.concurrency, ...tenants));
    const release = this.#endOnSilence();
    try {
      await Promise.all(jobs.map((job) => gate.pass(() => this.#runJob(job))));
    } finally {
      release();
    }
    const [target] = targets;
    if (target !== undefined) this.#collected.every = await this.#jobs.everyResults(target, this.#ended);
    if (judgeAgain !== true || this.#ended.aborted) return;
    const again = await unlessAborted(this.#jobs.judgeRedAgain(this.#ended), this.#ended);
    this.#collected.tell(this.#jobs.totals);
    if (again !== null) this.#collected.replace(again);
  }

  async #runJob(job: Job): Promise<void> {
    if (this.#ended.aborted) return;
    const signal = AbortSignal.any([this.#ended, this.#silent.signal, AbortSignal.timeout(jobLimitMs)]);
    try {
      const result = await unlessAborted(this.#jobs.judge(job, signal), signal);
      if (result === null) {
        if (!this.#ended.aborted) this.#collected.fault(this.#whyEnded(), jobName(job));
        return;
      }
      this.#collected.tell(this.#jobs.totals);
      this.#collected.add(result);
      if (isRed(result.verdict)) this.#fail();
    } catch (error) {
      this.#collected.fault(error, jobName(job));
      this.#fail();
    }
  }

  /** @returns a function that ends the watch */
  #endOnSilence(): () => void {
    let [sent, sinceMs] = [-1, 0];
    const look = setInterval(() => {
      const { exchanges } = this.#jobs.totals.spent;
      if (exchanges !== sent) [sent, sinceMs] = [exchanges, performance.now()];
      else if (performance.now() - sinceMs >= silenceLimitMs) this.#silent.abort();
    }, silenceLimitMs / 90);
    return () => clearInterval(look);
  }

  #whyEnded(): string {
    return this.#silent.signal.aborted
      ? `no result, and no check has sent anything for ${silenceLimitMs} ms`
      : `no result within ${jobLimitMs} ms`;
  }

  #fail(): void {
    this.#failures += 1;
    if (this.#failures === this.#options.bail) this.#bailed.abort();
  }
}

/** @throws Error when the work takes longer */
async function within(limitMs: number, work: Promise<void>): Promise<void> {
  const late = AbortSignal.timeout(limitMs);
  const done = await unlessAborted(
    work.then(() => true),
    late,
  );
  if (done === null) throw new Error(`the end of the run took longer than ${limitMs} ms`);
}

/** Notes errors that no code awaits as faults of the suites, without ending the run. */
function catchUnhandled(collected: Collected): () => void {
  const note = (error: unknown): void => {
    // A check that ended may leave work behind that fails later.
    if (!tellsOfEnd(error)) collected.fault(error);
  };
  process.on('unhandledRejection', note).on('uncaughtException', note);
  return () => process.off('unhandledRejection', note).off('uncaughtException', note);
}
