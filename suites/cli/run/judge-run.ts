import type { Undone } from '../../deviations/undo.ts';
import type { CheckFacts } from '../../engine/check.ts';
import { type Execution, execute } from '../../runner/execute.ts';
import { checkFlags } from '../../runner/own-checks.ts';
import type { JobTarget } from '../../runner/run-input.ts';
import type { Selection } from '../../runner/select.ts';
import { verdictWithWaivers } from '../../runner/waivers.ts';
import { Progress } from '../progress.ts';
import { targetFlags } from '../run-options.ts';
import type { PlannedRun } from './plan-run.ts';
import type { AskedRun } from './select-run.ts';

/** After so many answers without an end, more of them show nothing new. */
const mostTooLong = 5;

/** The results of the checks of a run. */
export interface JudgedRun {
  readonly execution: Execution;
  /** Why the run ended before its last check; null when it did not. */
  readonly stopped: string | null;
}

/** A run that its user did not wait for. */
export const nothingJudged: JudgedRun = {
  execution: { results: [], faults: [], notices: [], spent: null, stopped: null, isGone: false, every: [] },
  stopped: 'interrupted',
};

/** A run that found nothing to judge. */
export function unreachable({ message }: Error): JudgedRun {
  return { execution: { ...nothingJudged.execution, isGone: true }, stopped: message };
}

/** Runs the checks against the target, in their order, within the bounds. */
export async function judgeRun(
  { options, seed, selection, startedAt, goesOn = false }: AskedRun,
  { found, size, budget, ordered, concurrency, times, plan }: PlannedRun,
  { apart }: Undone,
  signal: AbortSignal,
): Promise<JudgedRun> {
  const { profile, models, mediaModels, lost, clockSkewMs, exchanges, refusedByCap } = found;
  const { minutes, ...bounds } = budget;
  const late = minutes === undefined ? new AbortController().signal : AbortSignal.timeout(minutes * 60_000);
  const { stderr: out, env } = process;
  const progress = new Progress({
    ...{ out, times, plannedMs: plan.ms, moving: out.isTTY === true && !env.CI },
    talk: options.quiet === true ? 'quiet' : options.verbose === true ? 'verbose' : 'usual',
  }).begin();
  const target: JobTarget = {
    ...{ id: 'target', stack: 'main', pool: 'main', profile, models, mediaModels, lost, clockSkewMs },
    refusedBefore: refusedByCap,
  };
  const today = startedAt.toISOString().slice(0, 10);
  const isApart = new Set(apart.map(({ check }) => check));
  const execution = await execute(
    {
      targets: [
        target,
        ...apart.map(({ check, profile: { translation } }) => ({
          ...{ ...target, id: check },
          profile: { ...profile, translation },
        })),
      ],
      jobs: ordered
        .filter((check) => isJob(check, selection))
        .map(({ id }) => ({ target: isApart.has(id) ? id : target.id, check: id })),
      ...{ seed, size, path: options.path ?? null, checkFiles: options.checks ?? [] },
      ...{ judgeAgain: true, judgesEvery: true },
      livesOn: goesOn || options.target !== undefined || options.baseUrl !== undefined,
      replayPrefix: `npx gatecheck run${targetFlags(options)}${checkFlags(options)}`,
      budget: { ...bounds, tooLong: mostTooLong, before: { exchanges } },
    },
    {
      ...{ concurrency, bail: options.bail, signal: AbortSignal.any([signal, late]) },
      onResult: (result) =>
        progress.add({ ...result, verdict: verdictWithWaivers(result, profile.waivers, today) }),
    },
  );
  progress.end();
  return { execution, stopped: whyStopped() };

  function whyStopped(): string | null {
    if (signal.aborted) return 'interrupted';
    if (late.aborted) return `the budget of ${minutes} minutes is spent`;
    if (execution.stopped !== null) return execution.stopped;
    const isCut = options.bail > 0 && execution.results.length < ordered.length;
    return isCut ? `stopped after ${options.bail} failures` : null;
  }
}

/** Whether a check runs on its own. In a full selection, passive checks judge the exchanges of the others. */
function isJob({ kind }: CheckFacts, { only, ids }: Selection): boolean {
  return kind !== 'passive' || only !== null || ids !== null;
}
