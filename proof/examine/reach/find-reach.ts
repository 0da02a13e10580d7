import type { Check } from '../../../suites/engine/check.ts';
import type { Around } from '../../../suites/runner/jobs.ts';
import { preflight } from '../../../suites/runner/preflight.ts';
import type { Job, JobResult } from '../../../suites/runner/run-input.ts';
import type { ProofStack } from '../../kill-matrix/proof-stack.ts';
import { runJobs } from '../run-jobs.ts';
import type { SourceMutant } from '../source-mutant.ts';
import { CoverageCollector } from './coverage-collector.ts';
import { type Reach, ReachRecord } from './reach.ts';

/** Number of gateways that share the checks, one check at a time on each: most checks wait more than they compute. */
const sideBySide = 4;

export interface ReachOptions {
  readonly mutants: readonly SourceMutant[];
  readonly checks: readonly Check[];
  readonly seed: number;
  readonly signal: AbortSignal;
  readonly onJob: (result: JobResult) => void;
}

/**
 * Runs every check once on reference gateways that report the code they run. Work that a check triggers without waiting for
 * it counts for the next check.
 */
export async function findReach(stack: ProofStack, options: ReachOptions): Promise<Reach> {
  const { mutants, checks, seed, signal, onJob } = options;
  const record = new ReachRecord(mutants);
  const collector = await CoverageCollector.start();
  const around = new OneAtATime(async ({ target, check }) =>
    record.check(check, await collector.take(target)),
  );
  try {
    const ids = Array.from({ length: sideBySide }, (_, place) => `told-${place + 1}`);
    const targets = await Promise.all(ids.map((id) => stack.addGateway(id, collector.flagsFor(id))));
    for (const { id, profile } of targets) {
      await preflight(profile);
      record.start(await collector.take(id));
    }
    const jobs = checks.map(({ id }, place) => ({ target: ids[place % ids.length] ?? '', check: id }));
    await runJobs({ targets, jobs, seed }, { concurrency: sideBySide, signal, onJob, around });
    return record.reach();
  } finally {
    await collector.close();
  }
}

/** On each target one job at a time, and after it `onEnd`, before the next one begins. */
export class OneAtATime implements Around {
  readonly #onEnd: (job: Job) => Promise<void>;
  /** By target with a job under way, how those that wait are let in. */
  readonly #waiting = new Map<string, (() => void)[]>();

  constructor(onEnd: (job: Job) => Promise<void>) {
    this.#onEnd = onEnd;
  }

  async begin({ target }: Job): Promise<void> {
    const waiting = this.#waiting.get(target);
    if (waiting === undefined) this.#waiting.set(target, []);
    else await new Promise<void>((resolve) => waiting.push(resolve));
  }

  async end(job: Job): Promise<void> {
    try {
      await this.#onEnd(job);
    } finally {
      const next = this.#waiting.get(job.target)?.shift();
      if (next === undefined) this.#waiting.delete(job.target);
      else next();
    }
  }
}
