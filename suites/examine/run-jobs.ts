import { execute } from '../runner/execute.ts';
import type { JobResult, RunInput } from '../runner/run-input.ts';

const usual = {
  size: 'quick',
  path: null,
  livesOn: false,
  replayPrefix: 'npx gatecheck examine',
} as const satisfies Partial<RunInput>;

/**
 * Runs jobs of an examination to their end, whatever their verdicts.
 * @throws Error when the runner broke down and was not interrupted
 */
export async function runJobs(
  input: Omit<RunInput, keyof typeof usual | 'width'>,
  options: { concurrency: number; signal: AbortSignal; onJob: (result: JobResult) => void },
): Promise<readonly JobResult[]> {
  const { concurrency, signal, onJob } = options;
  const { results, faults } = await execute(
    { ...input, ...usual },
    { concurrency, bail: 0, onResult: onJob, signal },
  );
  if (faults[0] !== undefined && !signal.aborted) throw new Error(`the runner broke down: ${faults[0]}`);
  return results;
}
