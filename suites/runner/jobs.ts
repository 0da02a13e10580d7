import { areaOf, areas, loadArea } from '../checks/areas.ts';
import type { Check } from '../engine/check.ts';
import { Semaphore } from '../engine/semaphore.ts';
import { loadRegister, type Register } from '../rules/register.ts';
import { ClockTurns } from './clock-turns.ts';
import { leastBusy, movingAtOnce, movingWhenCrowded } from './concurrency.ts';
import { IdleWidth, lookEachMs } from './idle-width.ts';
import type { JobContext } from './job-result.ts';
import { isDoubtful, judgeAgain, mostDoubted, mostDoubtedBesideOthers } from './judge-again.ts';
import { loadOwnChecks } from './own-checks.ts';
import { quietAccount } from './quiet-account.ts';
import { RunBudget, withoutBounds } from './run-budget.ts';
import type { Job, JobResult, JobTarget, RunInput, RunTotals } from './run-input.ts';
import { jobName, runJob } from './run-job.ts';
import { RunState } from './stack-state.ts';

/** Loads the checks of these areas; those of all areas without a list. */
export async function loadChecks(chosen?: ReadonlySet<string>): Promise<Check[]> {
  return (await Promise.all(areas.filter((area) => chosen?.has(area) ?? true).map(loadArea))).flat();
}

/** Work before and after each job. A job begins when `begin` has resolved, and has ended when `end` has. */
export interface Around {
  begin(job: Job): Promise<void>;
  end(job: Job): Promise<void>;
}

/** Loads what the jobs of a run need; all checks where the run names no jobs beforehand. */
export async function openJobs(input: RunInput, around?: Around): Promise<Jobs> {
  const named = input.jobs.length > 0 ? new Set(input.jobs.map(({ check }) => areaOf(check))) : undefined;
  const { register, checks: own } = await loadOwnChecks(input.checkFiles ?? [], loadRegister());
  return new Jobs(input, register, [...(await loadChecks(named)), ...own], around);
}

/** The jobs of one run and what they share: tenants, clock lock, budget. Whoever runs them decides when each begins. */
export class Jobs {
  readonly #input: RunInput;
  readonly #around: Around | undefined;
  readonly #register: Register;
  readonly #checks: ReadonlyMap<string, Check>;
  readonly #targets: ReadonlyMap<string, JobTarget>;
  readonly #budget: RunBudget;
  readonly #width: Semaphore;
  readonly #state: RunState;
  readonly #turns = new ClockTurns();
  readonly #looks: NodeJS.Timeout;
  readonly #red: { readonly result: JobResult; readonly context: Omit<JobContext, 'signal'> }[] = [];

  constructor(input: RunInput, register: Register, checks: readonly Check[], around?: Around) {
    this.#input = input;
    this.#around = around;
    this.#register = register;
    this.#checks = new Map(checks.map((check) => [check.id, check]));
    this.#targets = new Map(input.targets.map((target) => [target.id, target]));
    this.#budget = new RunBudget(input.budget ?? withoutBounds);
    this.#width = new Semaphore(Math.min(input.width, leastBusy));
    const idleWidth = new IdleWidth(this.#width, { least: leastBusy, most: input.width });
    const moving = (): number =>
      idleWidth.isCrowded ? movingWhenCrowded(input.width) : movingAtOnce(input.width);
    this.#state = new RunState(this.#budget, moving, input.judgeAgain === true);
    this.#looks = setInterval(() => idleWidth.look(), lookEachMs);
  }

  /** What all jobs together have come to so far. */
  get totals(): RunTotals {
    const { spent } = this.#budget;
    return {
      spent: this.#budget.total,
      notices: this.#state.notices,
      ...(spent === null ? {} : { stopped: spent }),
      ...(this.#budget.isGone ? { isGone: true } : {}),
    };
  }

  /** @throws Error when the job names nothing known, or what `around` throws */
  async judge(job: Job, signal: AbortSignal): Promise<JobResult> {
    const check = this.#checks.get(job.check);
    const target = this.#targets.get(job.target);
    if (check === undefined || target === undefined)
      throw new Error(`the job ${jobName(job)} names nothing known`);
    await this.#around?.begin(job);
    const context = this.#contextOf(check, target);
    const judge = (): Promise<JobResult> => runJob({ ...context, signal });
    const result = await this.#turns.take(check, () =>
      // Those that move the clock mostly wait for each other, and see themselves how many work.
      check.clock === 'jump' ? judge() : this.#width.pass(judge),
    );
    if (isDoubtful(result)) this.#red.push({ result, context });
    await this.#around?.end(job);
    return result;
  }

  /** Judges with a check on a target that may have come up since the run began. */
  judgeOn(target: JobTarget, id: string, signal: AbortSignal): Promise<JobResult> {
    const check = this.#checks.get(id);
    if (check === undefined) throw new Error(`no check is called ${id}`);
    return runJob({ ...this.#contextOf(check, target), signal });
  }

  /** Judges what was red once more and alone, when all jobs have ended: what became of each, if they are few. */
  async judgeRedAgain(signal: AbortSignal): Promise<JobResult[]> {
    const sightings = (): number => this.#state.sightings;
    const most = sightings() > 0 ? mostDoubtedBesideOthers : mostDoubted;
    const again: JobResult[] = [];
    for (const { result, context } of this.#red.length > most ? [] : this.#red)
      again.push(await judgeAgain(result, { judge: () => judgeAlone(context, signal), sightings }));
    return again;
  }

  async close(): Promise<void> {
    clearInterval(this.#looks);
    await this.#state.close(this.#input);
  }

  #contextOf(check: Check, target: JobTarget): Omit<JobContext, 'signal'> {
    const [stack, own] = [this.#state.stackOf(target), this.#state.targetOf(target)];
    return { input: this.#input, register: this.#register, check, target, stack, state: own };
  }
}

/** Where others may use the account, it waits for a pause of theirs first. */
async function judgeAlone(context: Omit<JobContext, 'signal'>, signal: AbortSignal): Promise<JobResult> {
  const { traffic, client } = context.state;
  if (traffic !== null) {
    const waitedMs = await quietAccount(client, context.target.profile.keys.K1, { traffic, signal });
    if (traffic.sightings > 0) traffic.waited(waitedMs);
  }
  return runJob({ ...context, signal }, 0);
}
