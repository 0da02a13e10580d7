import { execute } from '../../suites/runner/execute.ts';
import type { Around } from '../../suites/runner/jobs.ts';
import type { JobResult, RunInput } from '../../suites/runner/run-input.ts';

/** The common part of all jobs of examinations. */
export const usualInput = {
  size: 'quick',
  path: null,
  livesOn: false,
  replayPrefix: 'npx gatecheck examine',
} as const satisfies Partial<RunInput>;

/**
 * Runs jobs of an examination to their end, whatever their verdicts.
 * @throws Error if the runner broke down without an interrupt
 */
export async function runJobs(
  input: Omit<RunInput, keyof typeof usualInput | 'width'>,
  options: {
    concurrency: number;
    signal: AbortSignal;
    onJob: (result: JobResult) => void;
    around?: Around;
  },
): Promise<readonly JobResult[]> {
  const { concurrency, signal, onJob, around } = options;
  const { results, faults } = await execute(
    { ...input, ...usualInput },
    { concurrency, bail: 0, onResult: onJob, signal, ...(around && { around }) },
  );
  if (faults[0] !== undefined && !signal.aborted) throw new Error(`the runner broke down: ${faults[0]}`);
  return results;
}
