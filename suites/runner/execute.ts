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

/** The longest time of a check, including its waits for tenants and for the clock, ms. */
const jobLimitMs = 900_000;

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
    await Promise.all(jobs.map((job) => gate.pass(() => this.#runJob(job))));
    const [target] = targets;
    if (target !== undefined) this.#collected.every = await this.#jobs.everyResults(target, this.#ended);
    if (judgeAgain !== true || this.#ended.aborted) return;
    const again = await unlessAborted(this.#jobs.judgeRedAgain(this.#ended), this.#ended);
    this.#collected.tell(this.#jobs.totals);
    if (again !== null) this.#collected.replace(again);
  }

  async #runJob(job: Job): Promise<void> {
    if (this.#ended.aborted) return;
    const limit = AbortSignal.timeout(jobLimitMs);
    const signal = AbortSignal.any([this.#ended, limit]);
    try {
      const result = await unlessAborted(this.#jobs.judge(job, signal), signal);
      if (result === null) {
        if (!this.#ended.aborted) this.#collected.fault(`no result within ${jobLimitMs} ms`, jobName(job));
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
