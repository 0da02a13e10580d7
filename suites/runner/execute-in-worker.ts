import { basename, dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type CliOptions, createVitest, type Reporter, type TestCase, type TestModule } from 'vitest/node';
import { tellsOfEnd } from '../engine/check-is-over.ts';
import type { Collected } from './collected.ts';
import { closeLimitMs, type HowToRun, jobLimitMs } from './how-to-run.ts';
import type { RunInput } from './run-input.ts';

/** Runs jobs in one worker of the test runner. */
export async function executeInWorker(input: RunInput, collected: Collected, how: HowToRun): Promise<void> {
  const root = fileURLToPath(new URL('../../', import.meta.url));
  const jobs = fileURLToPath(new URL('./jobs.conf.ts', import.meta.url));
  const settings: CliOptions = {
    root,
    config: false,
    watch: false,
    dir: dirname(jobs),
    include: [basename(jobs)],
    exclude: [],
    reporters: [new Collector(collected)],
    provide: { run: input },
    pool: 'threads',
    maxWorkers: 1,
    isolate: false,
    fsModuleCache: false,
    // Node runs these files as they are: to transform a thousand of them takes longer than most checks.
    experimental: { viteModuleRunner: false, nodeLoader: false },
    testTimeout: jobLimitMs,
    hookTimeout: closeLimitMs,
    maxConcurrency: how.atOnce,
    bail: how.bail,
    retry: 0,
    sequence: { shuffle: false },
    // What a check left under way when it ended is nobody's to await.
    onUnhandledError: (error) => !tellsOfEnd(error),
  };
  const vitest = await withoutSignalHandlers(() => createVitest(settings, { root, logLevel: 'silent' }));
  const interrupt = (): void => void vitest.cancelCurrentRun('keyboard-input');
  how.signal.addEventListener('abort', interrupt, { once: true });
  const exitCode = process.exitCode;
  try {
    await vitest.start();
  } finally {
    how.signal.removeEventListener('abort', interrupt);
    await vitest.close();
    // The test runner sets an exit code for its own tests. Ours comes from the report, so the old value is
    // restored.
    process.exitCode = exitCode;
  }
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
  readonly #collected: Collected;

  constructor(collected: Collected) {
    this.#collected = collected;
  }

  onTestCaseResult(test: TestCase): void {
    const { result, again, ...told } = test.meta();
    this.#collected.tell(told);
    if (result) this.#collected.add(result);
    else if (again) this.#collected.replace(again);
    else if (test.result().state === 'failed')
      this.#collected.fault(test.result().errors?.[0] ?? 'no result', test.name);
  }

  onTestRunEnd(modules: readonly TestModule[], errors: readonly unknown[]): void {
    if (modules.length === 0) this.#collected.fault('the runner found no jobs file');
    for (const module of modules) for (const error of module.errors()) this.#collected.fault(error);
    for (const error of errors) this.#collected.fault(error);
  }
}
