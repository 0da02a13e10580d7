import type { Spent } from '../../reports/report.ts';
import { areaOf } from '../checks/areas.ts';
import { Collected } from './collected.ts';
import type { HowToRun } from './how-to-run.ts';
import type { JobResult, RunInput } from './run-input.ts';

export interface ExecuteOptions extends Omit<HowToRun, 'atOnce'> {
  /** How many checks work side by side, at most; further ones may wait for the clock. */
  readonly concurrency: number;
  /** Results so far are kept at an interrupt. */
  readonly onResult: (result: JobResult) => void;
}

export interface Execution {
  readonly results: readonly JobResult[];
  /** Why the runner itself failed; empty when it did not. */
  readonly faults: readonly string[];
  /** What all jobs sent together; null when none ended. */
  readonly spent: Spent | null;
  /** Which bound of the budget ended the run; null when none did. */
  readonly stopped: string | null;
  /** Whether the deployment was gone before the end. */
  readonly isGone: boolean;
  /** What a reader of the report has to know about the run, as sentences. */
  readonly notices: readonly string[];
}

/** So few jobs run in this process: to start the test runner takes longer than most of them. */
const mostHere = 8;

/** Loads what is going to run these checks: it takes longer than the rest of a run, and other things start meanwhile. */
export async function loadRunner(checks: readonly string[]): Promise<void> {
  if (checks.length > mostHere) await import('./execute-in-worker.ts');
  else
    await Promise.all([
      import('./execute-here.ts'),
      import('./jobs.ts').then(({ loadChecks }) => loadChecks(new Set(checks.map(areaOf)))),
    ]);
}

/** Runs all jobs concurrently in one thread, so that tenants, clock lock and budget are shared. */
export async function execute(given: Omit<RunInput, 'width'>, options: ExecuteOptions): Promise<Execution> {
  const { concurrency, bail, signal, onResult } = options;
  const lanes = given.targets.map(({ profile }) => profile.lanes.length);
  const collected = new Collected(onResult);
  const isSmall = given.desk === undefined && given.jobs.length <= mostHere;
  const run = isSmall
    ? (await import('./execute-here.ts')).executeHere
    : (await import('./execute-in-worker.ts')).executeInWorker;
  const input = { ...given, width: concurrency };
  await run(input, collected, { bail, signal, atOnce: Math.max(concurrency, ...lanes) });
  const { results, faults, spent, stopped, isGone, notices } = collected;
  return { results, faults, spent, stopped, isGone, notices };
}
