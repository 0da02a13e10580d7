import type { Check } from '../../../suites/engine/check.ts';
import { preflight } from '../../../suites/runner/preflight.ts';
import type { JobResult } from '../../../suites/runner/run-input.ts';
import type { ProofStack } from '../../kill-matrix/proof-stack.ts';
import { runJobs } from '../run-jobs.ts';
import type { SourceMutant } from '../source-mutant.ts';
import { CoverageCollector } from './coverage-collector.ts';
import { OneAtATime } from './one-at-a-time.ts';
import { type Reach, ReachRecord } from './reach.ts';

/** Gateways that share the checks, one check at a time on each: most checks wait more than they compute. */
const sideBySide = 4;

export interface ReachOptions {
  readonly mutants: readonly SourceMutant[];
  readonly checks: readonly Check[];
  readonly seed: number;
  readonly signal: AbortSignal;
  readonly onJob: (result: JobResult) => void;
}

/**
 * Runs every check once on gateways of the reference that report what they run. What a check sets off in the gateway and
 * does not wait for counts for the next check.
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
