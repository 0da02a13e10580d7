import { afterAll, inject, test } from 'vitest';
import { isRed } from '../../reports/verdict-words.ts';
import { areaOf, checkLoaders } from '../checks/areas.ts';
import type { Check } from '../engine/check.ts';
import { Semaphore } from '../engine/semaphore.ts';
import { loadRegister } from '../rules/register.ts';
import { askDesk } from './ask-desk.ts';
import { askGate } from './ask-gate.ts';
import { leastBusy, movingAtOnce } from './concurrency.ts';
import { IdleWidth, lookEachMs } from './idle-width.ts';
import type { JobContext } from './job-context.ts';
import { isDoubtful, judgeAgain, mostDoubted, mostDoubtedBesideOthers } from './judge-again.ts';
import { loadOwnChecks } from './own-checks.ts';
import { quietAccount } from './quiet-account.ts';
import { RunBudget, withoutBounds } from './run-budget.ts';
import type { Job, JobResult, JobTarget } from './run-input.ts';
import { jobName, runJob } from './run-job.ts';
import { RunState } from './stack-state.ts';

/**
 * The only place where checks meet the test runner. Each job becomes a concurrent test, and its result travels as
 * the test's meta. A job that does not conform fails its test, so that the runner's bail counts it.
 */
const input = inject('run');
const budget = new RunBudget(input.budget ?? withoutBounds);
const width = new Semaphore(Math.min(input.width, leastBusy));
const idleWidth = new IdleWidth(width, { least: leastBusy, most: input.width });
const state = new RunState(budget, () => movingAtOnce(idleWidth.isCrowded ? leastBusy : input.width));
const { register, checks: ownChecks } = await loadOwnChecks(input.checkFiles ?? [], loadRegister());
const checks = new Map([...(await loadChecks()), ...ownChecks].map((check) => [check.id, check]));
/** A lane ends when its desk says so, ms. */
const laneLimitMs = 24 * 3_600_000;
const targets = new Map(input.targets.map((target) => [target.id, target]));
const red: { readonly result: JobResult; readonly context: Omit<JobContext, 'signal'> }[] = [];

const looks = setInterval(() => idleWidth.look(), lookEachMs);

afterAll(() => {
  clearInterval(looks);
  return state.close(input);
});

if (input.desk === undefined) for (const job of input.jobs) declareJob(job);
else for (let lane = 1; lane <= input.desk.lanes; lane += 1) declareLane(input.desk.url, lane);

/** The checks of the jobs' areas; of all areas where a desk gives jobs out. */
async function loadChecks(): Promise<Check[]> {
  const areas = new Set(input.jobs.map(({ check }) => areaOf(check)));
  const some = Object.entries(checkLoaders).filter(([area]) => input.desk !== undefined || areas.has(area));
  return (await Promise.all(some.map(([, load]) => load()))).flat();
}

function declareJob(job: Job): void {
  test.concurrent(jobName(job), async ({ task, signal }) => {
    const check = checks.get(job.check);
    const target = targets.get(job.target);
    if (check === undefined || target === undefined)
      throw new Error(`the job ${jobName(job)} names nothing known`);
    await askGate(input, 'begin', job);
    const context = contextOf(check, target);
    const judge = (): Promise<JobResult> => runJob({ ...context, signal });
    // Those that move the clock mostly wait for each other, and see themselves how many work.
    const result = await (check.clock === 'jump' ? judge() : width.pass(judge));
    if (isDoubtful(result)) red.push({ result, context });
    await askGate(input, 'end', job);
    task.meta.result = result;
    task.meta.spent = budget.total;
    task.meta.notices = state.notices;
    if (budget.spent !== null) task.meta.stopped = budget.spent;
    if (isRed(result.verdict)) throw new Error(result.failure?.actual ?? result.verdict);
  });
}

/** One test that does job after job, so that what comes next can depend on what was found. */
function declareLane(desk: string, lane: number): void {
  const work = async ({ signal }: { signal: AbortSignal }): Promise<void> => {
    let order = await askDesk(desk, null, signal);
    while (order !== null) {
      const check = checks.get(order.check);
      if (check === undefined) throw new Error(`no check is called ${order.check}`);
      const result = await runJob({ ...contextOf(check, order.target), signal });
      order = await askDesk(desk, { ticket: order.ticket, result }, signal);
    }
  };
  test.concurrent(`lane ${lane}`, work, laneLimitMs);
}

function contextOf(check: Check, target: JobTarget): Omit<JobContext, 'signal'> {
  const [stack, own] = [state.stackOf(target), state.targetOf(target)];
  return { input, register, check, target, stack, state: own };
}

// The test runner begins it when all concurrent tests have ended.
if (input.judgeAgain === true)
  test('what was red, once more and alone', { timeout: 0 }, async ({ task, signal }) => {
    const most = state.sightings > 0 ? mostDoubtedBesideOthers : mostDoubted;
    const again: JobResult[] = [];
    for (const { result, context } of red.length > most ? [] : red)
      again.push(await judgeAgain(result, { judge: () => judgeAlone(context, signal), sightings }));
    task.meta.again = again;
    task.meta.spent = budget.total;
    task.meta.notices = state.notices;
  });

/** Where others may use the account, it waits for a pause of theirs first. */
async function judgeAlone(context: Omit<JobContext, 'signal'>, signal: AbortSignal): Promise<JobResult> {
  const { traffic, client } = context.state;
  if (traffic !== null) {
    const waitedMs = await quietAccount(client, context.target.profile.keys.K1, { traffic, signal });
    if (traffic.sightings > 0) traffic.waited(waitedMs);
  }
  return runJob({ ...context, signal });
}

function sightings(): number {
  return state.sightings;
}
