import { basename, dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { CliOptions, Reporter, TestCase, TestModule } from 'vitest/node';
import type { Spent } from '../../reports/report.ts';
import { tellsOfEnd } from '../engine/check-is-over.ts';
import type { JobResult, RunInput } from './run-input.ts';

export interface ExecuteOptions {
  /** How many checks work side by side, at most; further ones may wait for the clock. */
  readonly concurrency: number;
  /** Stop after this many failures; 0 never stops. */
  readonly bail: number;
  readonly onResult: (result: JobResult) => void;
  /** Aborted when the user interrupts the run. Results so far are kept. */
  readonly signal: AbortSignal;
}

export interface Execution {
  readonly results: readonly JobResult[];
  /** Why the runner itself failed; empty when it did not. */
  readonly faults: readonly string[];
  /** What all jobs sent together; null when none ended. */
  readonly spent: Spent | null;
  /** Which bound of the budget ended the run; null when none did. */
  readonly stopped: string | null;
  /** What a reader of the report has to know about the run, as sentences. */
  readonly notices: readonly string[];
}

/** Loads the test runner, which takes longer than everything else that a run loads: while other things start, say. */
export function loadRunner(): Promise<typeof import('vitest/node')> {
  return import('vitest/node');
}

/** Longer than any check may take, including its waits for tenants and for the clock, ms. */
const jobLimitMs = 900_000;

/**
 * Runs all jobs in one worker of the test runner, concurrently, so that tenants, clock lock and budget live in one
 * process.
 */
export async function execute(input: Omit<RunInput, 'width'>, options: ExecuteOptions): Promise<Execution> {
  const root = fileURLToPath(new URL('../../', import.meta.url));
  const jobs = fileURLToPath(new URL('./jobs.conf.ts', import.meta.url));
  const collector = new Collector(options.onResult);
  const settings: CliOptions = {
    root,
    config: false,
    watch: false,
    dir: dirname(jobs),
    include: [basename(jobs)],
    exclude: [],
    reporters: [collector],
    provide: { run: { ...input, width: options.concurrency } },
    pool: 'threads',
    maxWorkers: 1,
    isolate: false,
    fsModuleCache: false,
    // Node runs these files as they are: to transform a thousand of them takes longer than most checks.
    experimental: { viteModuleRunner: false, nodeLoader: false },
    testTimeout: jobLimitMs,
    hookTimeout: 60_000,
    maxConcurrency: Math.max(
      options.concurrency,
      ...input.targets.map(({ profile }) => profile.lanes.length),
    ),
    bail: options.bail,
    retry: 0,
    sequence: { shuffle: false },
    // What a check left under way when it ended is nobody's to await.
    onUnhandledError: (error) => !tellsOfEnd(error),
  };
  const { createVitest } = await loadRunner();
  const vitest = await withoutSignalHandlers(() => createVitest(settings, { root, logLevel: 'silent' }));
  const interrupt = (): void => void vitest.cancelCurrentRun('keyboard-input');
  options.signal.addEventListener('abort', interrupt, { once: true });
  const exitCode = process.exitCode;
  try {
    await vitest.start();
  } finally {
    options.signal.removeEventListener('abort', interrupt);
    await vitest.close();
    // The test runner sets an exit code for its own tests. Ours comes from the report, so the old value is
    // restored.
    process.exitCode = exitCode;
  }
  const { results, faults, spent, stopped, notices } = collector;
  return { results, faults, spent, stopped, notices };
}

/**
 * Removes the test runner's signal handlers. They would end the process at an interrupt, before the report is
 * written.
 */
async function withoutSignalHandlers<T>(start: () => Promise<T>): Promise<T> {
  const signals = ['SIGINT', 'SIGTERM'] as const;
  const own = new Map(signals.map((signal) => [signal, process.listeners(signal)]));
  const started = await start();
  for (const [signal, kept] of own) {
    for (const listener of process.listeners(signal))
      if (!kept.includes(listener)) process.off(signal, listener);
  }
  return started;
}

class Collector implements Reporter {
  results: JobResult[] = [];
  readonly faults: string[] = [];
  spent: Spent | null = null;
  stopped: string | null = null;
  notices: readonly string[] = [];
  readonly #onResult: (result: JobResult) => void;

  constructor(onResult: (result: JobResult) => void) {
    this.#onResult = onResult;
  }

  onTestCaseResult(test: TestCase): void {
    const { result, again, spent, stopped, notices } = test.meta();
    this.notices = notices ?? this.notices;
    this.stopped ??= stopped ?? null;
    if (spent !== undefined && spent.exchanges >= (this.spent?.exchanges ?? 0)) this.spent = spent;
    if (result) {
      this.results.push(result);
      this.#onResult(result);
    } else if (again) {
      this.results = this.results.map((first) => again.find((last) => isSameJob(first, last)) ?? first);
    } else if (test.result().state === 'failed') {
      this.faults.push(`${test.name}: ${test.result().errors?.[0]?.message ?? 'no result'}`);
    }
  }

  onTestRunEnd(modules: readonly TestModule[], errors: readonly unknown[]): void {
    if (modules.length === 0) this.faults.push('the runner found no jobs file');
    for (const module of modules) for (const error of module.errors()) this.faults.push(messageOf(error));
    for (const error of errors) this.faults.push(messageOf(error));
  }
}

function isSameJob(one: JobResult, other: JobResult): boolean {
  return one.id === other.id && one.target === other.target;
}

function messageOf(error: unknown): string {
  return error !== null && typeof error === 'object' && 'message' in error
    ? String(error.message)
    : String(error);
}
