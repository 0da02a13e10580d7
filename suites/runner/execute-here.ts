import { isRed } from '../../reports/verdict-words.ts';
import { tellsOfEnd } from '../engine/check-is-over.ts';
import { Semaphore } from '../engine/semaphore.ts';
import { unlessAborted } from '../unless-aborted.ts';
import type { Collected } from './collected.ts';
import { closeLimitMs, type HowToRun, jobLimitMs } from './how-to-run.ts';
import { type Jobs, openJobs } from './jobs.ts';
import type { Job, RunInput } from './run-input.ts';
import { jobName } from './run-job.ts';

/** What this needs of the jobs of a run. */
export type HereJobs = Pick<Jobs, 'judge' | 'judgeRedAgain' | 'told' | 'close'>;

/** Runs jobs in this process, as the test runner would in its worker: for few of them, it would take longer to start. */
export async function executeHere(
  input: RunInput,
  collected: Collected,
  how: HowToRun,
  open: (input: RunInput) => Promise<HereJobs> = openJobs,
): Promise<void> {
  const release = catchUnhandled(collected);
  try {
    const jobs = await open(input);
    try {
      await new Here(jobs, collected, how).run(input);
    } finally {
      await within(closeLimitMs, jobs.close());
    }
  } catch (error) {
    collected.fault(error);
  } finally {
    release();
  }
}

class Here {
  readonly #jobs: HereJobs;
  readonly #collected: Collected;
  readonly #how: HowToRun;
  readonly #bailed = new AbortController();
  /** Aborted when no job may go on. */
  readonly #ended: AbortSignal;
  #failures = 0;

  constructor(jobs: HereJobs, collected: Collected, how: HowToRun) {
    this.#jobs = jobs;
    this.#collected = collected;
    this.#how = how;
    this.#ended = AbortSignal.any([how.signal, this.#bailed.signal]);
  }

  async run({ jobs, judgeAgain }: RunInput): Promise<void> {
    const gate = new Semaphore(this.#how.atOnce);
    await Promise.all(jobs.map((job) => gate.pass(() => this.#runJob(job))));
    if (judgeAgain !== true || this.#ended.aborted) return;
    const again = await unlessAborted(this.#jobs.judgeRedAgain(this.#ended), this.#ended);
    this.#collected.tell(this.#jobs.told);
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
      this.#collected.tell(this.#jobs.told);
      this.#collected.add(result);
      if (isRed(result.verdict)) this.#fail();
    } catch (error) {
      this.#collected.fault(error, jobName(job));
      this.#fail();
    }
  }

  #fail(): void {
    this.#failures += 1;
    if (this.#failures === this.#how.bail) this.#bailed.abort();
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

/** Errors that nobody awaits are faults of the suites, and end nothing. */
function catchUnhandled(collected: Collected): () => void {
  const note = (error: unknown): void => {
    // What a check left under way when it ended is nobody's to await.
    if (!tellsOfEnd(error)) collected.fault(error);
  };
  process.on('unhandledRejection', note).on('uncaughtException', note);
  return () => process.off('unhandledRejection', note).off('uncaughtException', note);
}
