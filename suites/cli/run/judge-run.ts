import type { Undone } from '../../deviations/undo.ts';
import { type Execution, execute } from '../../runner/execute.ts';
import { checkFlags } from '../../runner/own-checks.ts';
import type { JobTarget } from '../../runner/run-input.ts';
import { Progress } from '../progress.ts';
import { targetFlags } from '../run-options.ts';
import type { PlannedRun } from './plan-run.ts';
import type { AskedRun } from './select-run.ts';

/** After so many answers without an end, more of them tell nothing new. */
const mostTooLong = 5;

/** What the checks of a run came to. */
export interface JudgedRun {
  readonly execution: Execution;
  /** Why the run ended before its last check; null when it did not. */
  readonly stopped: string | null;
}

/** A run that its user did not wait for. */
export const nothingJudged: JudgedRun = {
  execution: { results: [], faults: [], notices: [], spent: null, stopped: null, isGone: false },
  stopped: 'interrupted',
};

/** Runs the checks against the target, in their order, within the bounds. */
export async function judgeRun(
  { options, seed }: AskedRun,
  { found, size, budget, ordered, concurrency }: PlannedRun,
  { ways, named }: Undone,
  signal: AbortSignal,
): Promise<JudgedRun> {
  const { profile, models, mediaModels, lost, clockSkewMs, exchanges, refusedByCap } = found;
  const { minutes, ...bounds } = budget;
  const late = minutes === undefined ? new AbortController().signal : AbortSignal.timeout(minutes * 60_000);
  const progress = new Progress(process.stderr, ordered.length, process.env);
  const target: JobTarget = {
    ...{ id: 'target', stack: 'main', pool: 'main', profile, models, mediaModels, lost, clockSkewMs },
    refusedBefore: refusedByCap,
  };
  const ownWays = new Set(ways.map(({ check }) => check));
  const execution = await execute(
    {
      targets: [
        target,
        ...ways.map(({ check, url }) => ({ ...target, id: check, profile: { ...profile, base_url: url } })),
      ],
      jobs: ordered.map(({ id }) => ({ target: ownWays.has(id) ? id : target.id, check: id })),
      ...{ seed, size, path: options.path ?? null, checkFiles: options.checks ?? [], judgeAgain: true },
      livesOn: options.target !== undefined || options.baseUrl !== undefined,
      replayPrefix: `npx gatecheck run${targetFlags(options)}${checkFlags(options)}`,
      budget: { ...bounds, tooLong: mostTooLong, before: { exchanges } },
    },
    {
      ...{ concurrency, bail: options.bail, signal: AbortSignal.any([signal, late]) },
      onResult: (result) => progress.add(result),
    },
  );
  progress.end();
  return { execution: named(execution), stopped: whyStopped() };

  function whyStopped(): string | null {
    if (signal.aborted) return 'interrupted';
    if (late.aborted) return `the budget of ${minutes} minutes is spent`;
    if (execution.stopped !== null) return execution.stopped;
    const isCut = options.bail > 0 && execution.results.length < ordered.length;
    return isCut ? `stopped after ${options.bail} failures` : null;
  }
}
