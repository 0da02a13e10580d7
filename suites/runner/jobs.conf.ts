import { afterAll, inject, test } from 'vitest';
import { allChecks } from '../checks/all-checks.ts';
import { loadRegister } from '../rules/register.ts';
import { askDesk } from './ask-desk.ts';
import { askGate } from './ask-gate.ts';
import { RunBudget, withoutBounds } from './run-budget.ts';
import type { Job, JobResult, JobTarget } from './run-input.ts';
import { jobName, runJob } from './run-job.ts';
import { RunState } from './stack-state.ts';
import { TargetStops } from './target-stops.ts';

/**
 * The only place where checks meet the test runner. Each job becomes a concurrent test, and its result travels as
 * the test's meta. A job that does not conform fails its test, so that the runner's bail counts it.
 */
const input = inject('run');
const register = loadRegister();
const budget = new RunBudget(input.budget ?? withoutBounds);
const state = new RunState(budget);
const checks = new Map(allChecks.map((check) => [check.id, check]));
const stops = new TargetStops(input.untilFailureMs ?? null, () => performance.now());
/** A lane ends when its desk says so, ms. */
const laneLimitMs = 24 * 3_600_000;
const targets = new Map(input.targets.map((target) => [target.id, target]));

afterAll(() => state.close(input));

if (input.desk === undefined) for (const job of input.jobs) declareJob(job);
else for (let lane = 1; lane <= input.desk.lanes; lane += 1) declareLane(input.desk.url, lane);

function declareJob(job: Job): void {
  test.concurrent(jobName(job), async ({ task, signal }) => {
    const target = targets.get(job.target);
    if (!checks.has(job.check) || target === undefined)
      throw new Error(`the job ${jobName(job)} names nothing known`);
    if (!stops.mayBegin(target.id)) return;
    await askGate(input, 'begin', job);
    const result = await judge(job.check, target, signal);
    await askGate(input, 'end', job);
    stops.note(result);
    task.meta.result = result;
    task.meta.spent = budget.total;
    if (budget.spent !== null) task.meta.stopped = budget.spent;
    if (result.verdict === 'fail' || result.verdict === 'harness-error')
      throw new Error(result.failure?.actual ?? result.verdict);
  });
}

/** One test that does job after job, so that what comes next can depend on what was found. */
function declareLane(desk: string, lane: number): void {
  const work = async ({ signal }: { signal: AbortSignal }): Promise<void> => {
    let order = await askDesk(desk, null, signal);
    while (order !== null) {
      const { ticket, check, target } = order;
      order = await askDesk(desk, { ticket, result: await judge(check, target, signal) }, signal);
    }
  };
  test.concurrent(`lane ${lane}`, work, laneLimitMs);
}

function judge(id: string, target: JobTarget, signal: AbortSignal): Promise<JobResult> {
  const check = checks.get(id);
  if (check === undefined) throw new Error(`no check is called ${id}`);
  const [stack, own] = [state.stackOf(target), state.targetOf(target)];
  return runJob({ input, register, check, target, stack, state: own, signal });
}
