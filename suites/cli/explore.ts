import type { Report } from 'gatecheck-reports/report';
import { type ExitCode, exitCodes } from '../process/exit-codes.ts';
import {
  cellsLeftInWords,
  type Exploration,
  explorationInWords,
  newExploration,
  readExploration,
  withRound,
  writeExploration,
} from './exploration.ts';
import { catchInterrupts } from './interrupt.ts';
import { withTarget } from './reach-target.ts';
import { reachUndone, type UndoneTarget } from './reach-undone.ts';
import { deliverRun } from './run/deliver-run.ts';
import { judgeRun } from './run/judge-run.ts';
import { look, type PlannedRun, planRun } from './run/plan-run.ts';
import { reportRun } from './run/report-run.ts';
import { type AskedRun, preload, selectRun } from './run/select-run.ts';
import type { RunOptions } from './run-options.ts';

/** The options of `gatecheck explore`. */
export interface ExploreOptions extends Omit<RunOptions, 'full' | 'bail' | 'failOnFlaky' | 'minutes'> {
  readonly minutes: number;
  /** A file that keeps the next seed and the coverage, from one exploration to the next. */
  readonly resume?: string;
}

/** Checks with generated histories. All others would repeat the same cases. */
const usualSelection = 'world';

/**
 * `gatecheck explore`: judges generated histories with consecutive seeds, until its time is over or a round fails. It reports
 * the last round.
 */
export async function exploreCommand(given: ExploreOptions): Promise<ExitCode> {
  const { minutes, resume, size = 'quick', only = usualSelection, ...rest } = given;
  const options = withTarget({ ...rest, ...{ size, only, full: false, bail: 0, failOnFlaky: false } });
  const before = resume === undefined ? null : readExploration(resume);
  const asked = await selectRun(options);
  const interrupts = catchInterrupts();
  const { signal } = interrupts;
  const reaching = reachUndone(options, asked.seed, { tenants: asked.tenants, signal });
  const [target] = await Promise.all([reaching, preload(asked)]);
  try {
    const found = await look(target.undone.profile, signal);
    if (found === null) return exitCodes.interrupted;
    const seed = given.seed ?? before?.next_seed ?? asked.seed;
    const keep = (exploration: Exploration): void => {
      if (resume !== undefined) writeExploration(resume, exploration);
    };
    const start = { ...(before ?? newExploration(seed)), next_seed: seed };
    // One line is printed for each round; the checks print nothing.
    const quiet = { ...asked, options: { ...options, quiet: true } };
    const plan = planRun(quiet, found);
    const report = await rounds({ asked: quiet, plan, target, start, keep, signal, minutes });
    return await deliverRun(report, options, target);
  } finally {
    await target.stop();
    interrupts.release();
  }
}

interface Exploring {
  readonly asked: AskedRun;
  readonly plan: PlannedRun;
  readonly target: UndoneTarget;
  readonly start: Exploration;
  readonly keep: (exploration: Exploration) => void;
  readonly signal: AbortSignal;
  readonly minutes: number;
}

/** Begins a further round only where one as long as the longest still fits, so that none is cut. */
async function rounds({ asked, plan, target, start, keep, signal, minutes }: Exploring): Promise<Report> {
  const until = performance.now() + minutes * 60_000;
  for (let [exploration, longestMs] = [start, 0]; ; ) {
    const [beganMs, seed] = [performance.now(), exploration.next_seed];
    const round = await judgeRound(
      { ...asked, seed, goesOn: true, startedAt: new Date() },
      plan,
      target,
      signal,
    );
    if (!signal.aborted) {
      exploration = withRound(exploration, seed, round.checks);
      keep(exploration);
    }
    const words = explorationInWords(exploration);
    process.stderr.write(`Seed ${seed}: ${round.headline} So far: ${words}.\n`);
    longestMs = Math.max(longestMs, performance.now() - beganMs);
    const isOver = signal.aborted || performance.now() + longestMs > until;
    if (isOver || round.exit_code !== exitCodes.conforming)
      return {
        ...round,
        notices: [...(round.notices ?? []), `Explored: ${words}.`, ...cellsLeftInWords(exploration)],
      };
  }
}

async function judgeRound(
  asked: AskedRun,
  plan: PlannedRun,
  { undone }: UndoneTarget,
  signal: AbortSignal,
): Promise<Report> {
  const judged = await judgeRun(asked, plan, undone, signal);
  return reportRun(asked, judged, { undone, plan, interrupted: signal.aborted });
}
