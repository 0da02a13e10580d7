import { randomInt } from 'node:crypto';
import type { Size } from 'gatecheck-reports/report';
import { loadCheckCosts } from '../plan/check-costs.ts';
import { costsOfReport } from '../plan/costs-of-report.ts';
import { fittingSize, type Plan, planOf } from '../plan/plan.ts';
import { boundsReached, planInLines } from '../plan/plan-text.ts';
import { type ExitCode, exitCodes } from '../process/exit-codes.ts';
import { knownWithOwn } from '../runner/own-checks.ts';
import { preflight } from '../runner/preflight.ts';
import { selectForRun } from '../runner/select.ts';
import { budgetOf, givenBounds } from './budget.ts';
import { withTarget } from './reach-target.ts';
import { reachUndone } from './reach-undone.ts';
import { readMinimums } from './read-minimums.ts';
import { readReport } from './read-report.ts';
import { planFacts } from './run/plan-run.ts';
import { type RunOptions, selectionOf } from './run-options.ts';

/** The options of `gatecheck plan`: those of `run` that decide what is sent. */
export interface PlanOptions
  extends Pick<
    RunOptions,
    | 'reference'
    | 'target'
    | 'baseUrl'
    | 'key'
    | 'header'
    | 'ca'
    | 'checks'
    | 'only'
    | 'exclude'
    | 'onlyFailed'
    | 'shard'
    | 'full'
    | 'size'
    | 'prices'
    | 'budget'
    | 'minutes'
    | 'require'
  > {
  /** The report of an earlier run of the same deployment, whose costs are taken. */
  readonly earlier?: string;
  /** The assumed time of a paid answer, ms. */
  readonly answerMs?: number;
  readonly json: boolean;
}

/** `gatecheck plan`: the requests and cost of a run with the same options. It makes no paid calls. */
export async function planCommand(given: PlanOptions): Promise<ExitCode> {
  const options = withTarget(given);
  const earlier = options.earlier === undefined ? null : readReport(options.earlier, '--earlier');
  const costs = earlier === null ? loadCheckCosts() : costsOfReport(loadCheckCosts(), earlier);
  const { register, checks: known } = await knownWithOwn(options.checks);
  const checks = selectForRun(known, register, selectionOf(options).selection);
  if (options.require !== undefined) readMinimums(options.require);
  givenBounds(options);
  const target = await reachUndone(options, randomInt(2 ** 31));
  try {
    const found = await preflight(target.undone.profile, { pays: false });
    for (const text of found.lost) process.stderr.write(`Lost: ${text}\n`);
    const { pricing, ...bounds } = budgetOf(options, found.profile, found);
    const planIn = (size: Size): Plan =>
      planOf(checks, costs, planFacts({ ...options, full: false, size }, found, pricing));
    const size = earlier?.size ?? fittingSize(options, bounds.minutes, planIn);
    const plan = planIn(size);
    const reached = boundsReached(plan, bounds);
    const text = options.json
      ? `${JSON.stringify({ ...plan, size, reached }, null, 2)}\n`
      : planInLines(plan, { size, reached, answerMs: found.profile.timeouts.answer_ms });
    process.stdout.write(text);
    return exitCodes.conforming;
  } finally {
    await target.stop();
  }
}
