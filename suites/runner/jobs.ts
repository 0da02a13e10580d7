import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { CheckResult } from 'gatecheck-reports/report';
import { areaOf, areas, loadArea } from '../checks/areas.ts';
import type { Check } from '../engine/check.ts';
import { Semaphore } from '../engine/semaphore.ts';
import { loadRegister, type Register } from '../rules/register.ts';
import { ClockTurns } from './clock-turns.ts';
import { leastBusy, movingAtOnce, movingWhenCrowded } from './concurrency.ts';
import { EveryExchange, type Sighting } from './every/every-exchange.ts';
import { IdleWidth, lookEachMs, QuietMoments } from './idle-width.ts';
import type { JobContext } from './job-result.ts';
import {
  isDoubtful,
  judgeAgain,
  lookForOthers,
  mostDoubted,
  mostDoubtedBesideOthers,
  quietAccount,
  repeats,
} from './judge-again.ts';
import { loadOwnChecks } from './own-checks.ts';
import { RunBudget, withoutBounds } from './run-budget.ts';
import type { Job, JobResult, JobTarget, RunInput, RunTotals } from './run-input.ts';
import { jobName, runJob } from './run-job.ts';
import { RunState } from './stack-state.ts';

/** Loads the checks of these areas; all checks when `chosen` is absent. */
export async function loadChecks(chosen?: ReadonlySet<string>): Promise<Check[]> {
  return (await Promise.all(areas.filter((area) => chosen?.has(area) ?? true).map(loadArea))).flat();
}

/** Hooks around each job. A job starts after `begin` has resolved, and counts as ended after `end` has. */
export interface Around {
  begin(job: Job): Promise<void>;
  end(job: Job): Promise<void>;
}

/** Loads what the jobs of a run need; all checks when the run does not name its jobs in advance. */
export async function openJobs(input: RunInput, around?: Around): Promise<Jobs> {
  const named = new Set(input.jobs.map(({ check }) => areaOf(check)));
  // Checks of any area may send the exchanges for the rows about every exchange.
  const loaded = named.size > 0 && !named.has('every') ? named : undefined;
  const { register, checks: own } = await loadOwnChecks(input.checkFiles ?? [], loadRegister());
  return new Jobs(input, register, [...(await loadChecks(loaded)), ...own], around);
}

/** The jobs of one run and their shared state: tenants, clock lock, budget. The caller decides when each begins. */
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
  readonly #lateness = new OwnLateness();
  /** The findings in all exchanges; null when not requested. */
  readonly #every: EveryExchange | null;
  /** Results of checks that were rerun because one of their exchanges broke a rule. */
  readonly #sentAgain = new Map<string, JobResult[]>();
  readonly #moments = new QuietMoments();
  readonly #red: { readonly result: JobResult; readonly context: Omit<JobContext, 'signal'> }[] = [];

  constructor(input: RunInput, register: Register, checks: readonly Check[], around?: Around) {
    this.#input = input;
    this.#around = around;
    this.#register = register;
    this.#checks = new Map(checks.map((check) => [check.id, check]));
    this.#targets = new Map(input.targets.map((target) => [target.id, target]));
    this.#budget = new RunBudget(input.budget ?? withoutBounds);
    this.#every = input.judgesEvery === true ? new EveryExchange() : null;
    this.#width = new Semaphore(Math.min(input.width, leastBusy));
    const idleWidth = new IdleWidth(this.#width, { least: leastBusy, most: input.width });
    const moving = (): number =>
      idleWidth.isCrowded ? movingWhenCrowded(input.width) : movingAtOnce(input.width);
    this.#state = new RunState(this.#budget, moving, input.judgeAgain === true);
    this.#looks = setInterval(() => {
      idleWidth.look();
      this.#lateness.look();
    }, lookEachMs);
  }

  /** The totals of all jobs so far. */
  get totals(): RunTotals {
    const { spent } = this.#budget;
    return {
      spent: this.#budget.total,
      notices: this.#state.notices,
      ...(spent === null ? {} : { stopped: spent }),
      ...(this.#budget.isGone ? { isGone: true } : {}),
    };
  }

  /** @throws Error when the job names an unknown check or target, or the error of `around` */
  async judge(job: Job, signal: AbortSignal): Promise<JobResult> {
    const check = this.#checks.get(job.check);
    const target = this.#targets.get(job.target);
    if (check === undefined || target === undefined)
      throw new Error(`the job ${jobName(job)} names nothing known`);
    await this.#around?.begin(job);
    const context = this.#contextOf(check, target);
    const judge = (): Promise<JobResult> =>
      check.senders === undefined
        ? runJob({ ...context, signal })
        : this.#judgeBySenders(check, target, signal);
    const result = await this.#turns.take(check, () =>
      // Checks that move the clock mostly wait for each other, and limit their number themselves.
      check.clock === 'jump' ? judge() : this.#width.pass(judge),
    );
    if (isDoubtful(result)) this.#red.push({ result, context });
    await this.#around?.end(job);
    return result;
  }

  /** Runs a check on a target that may have started after the run began. */
  judgeOn(target: JobTarget, id: string, signal: AbortSignal): Promise<JobResult> {
    const check = this.#checks.get(id);
    if (check === undefined) throw new Error(`no check is called ${id}`);
    return runJob({ ...this.#contextOf(check, target), signal });
  }

  /** Judges one row about every exchange by the exchanges of some checks, and ignores the verdicts of these checks. */
  async #judgeBySenders(row: Check, target: JobTarget, signal: AbortSignal): Promise<JobResult> {
    const every = new EveryExchange();
    const both: JobContext['every'] = {
      add: (...found) => {
        every.add(...found);
        this.#every?.add(...found);
      },
      mayAsk: (kind) => every.mayAsk(kind),
    };
    for (const id of row.senders ?? []) {
      const sender = this.#checks.get(id);
      if (sender === undefined) throw new Error(`no check is called ${id}`);
      await runJob({ ...this.#contextOf(sender, target), every: both, signal });
    }
    const results = every.results(this.#register, target.profile);
    const found = results.find(({ id }) => id === row.id);
    if (found === undefined) throw new Error(`no row of the oracle is called ${row.id}`);
    return { ...found, target: target.id };
  }

  /** Reruns failed checks alone after all jobs, if there are few. Returns the result of each. */
  async judgeRedAgain(signal: AbortSignal): Promise<JobResult[]> {
    const sightings = (): number => this.#state.sightings + this.#lateness.count;
    const most = this.#state.sightings > 0 ? mostDoubtedBesideOthers : mostDoubted;
    const again: JobResult[] = [];
    for (const { result, context } of this.#red.length > most ? [] : this.#red)
      again.push(
        await judgeAgain(result, {
          judge: async () =>
            this.#sentAgain.get(result.id)?.shift() ??
            (await this.#judgeAlone({ ...context, every: null }, signal)),
          sightings,
        }),
      );
    return again;
  }

  /**
   * The results of all exchanges together, one for each row. If few checks sent violations, they are rerun alone. A violation
   * that does not recur is flaky.
   */
  async everyResults(target: JobTarget, signal: AbortSignal): Promise<CheckResult[]> {
    const every = this.#every;
    if (every === null) return [];
    const senders = new Set(every.broken.map(({ sender }) => sender));
    const isRepeated = this.#input.judgeAgain === true && senders.size <= mostDoubted && !signal.aborted;
    for (const id of isRepeated ? senders : []) await this.#sendAgain(every, target, id, signal);
    return every.results(this.#register, target.profile);
  }

  async #sendAgain(every: EveryExchange, target: JobTarget, id: string, signal: AbortSignal): Promise<void> {
    const check = this.#checks.get(id);
    if (check === undefined) return;
    const own = (): Sighting[] => every.broken.filter((one) => one.sender === id && one.isCertain !== true);
    for (let count = 1; count <= repeats && own().length > 0; count += 1) {
      const again = new EveryExchange();
      const result = await this.#judgeAlone({ ...this.#contextOf(check, target), every: again }, signal);
      this.#sentAgain.set(id, [...(this.#sentAgain.get(id) ?? []), result]);
      for (const one of own()) one.isCertain = again.hasShown(one) || undefined;
    }
    for (const one of own()) one.isCertain = false;
  }

  /** Waits until the machine is idle, and a shared account is quiet. */
  async #judgeAlone(context: Omit<JobContext, 'signal'>, signal: AbortSignal): Promise<JobResult> {
    const { traffic, client } = context.state;
    await this.#moments.next(signal).catch(() => undefined);
    if (traffic !== null) {
      const waitedMs = await quietAccount(client, context.target.profile.keys.K1, { traffic, signal });
      if (traffic.sightings > 0) traffic.waited(waitedMs);
    }
    const result = await runJob({ ...context, signal }, 0);
    if (traffic !== null && isDoubtful(result) && !signal.aborted)
      await lookForOthers(client, context.target.profile.keys.K1, { traffic, signal }).catch(() => undefined);
    return result;
  }

  async close(): Promise<void> {
    clearInterval(this.#looks);
    this.#lateness.close();
    await this.#state.close(this.#input);
  }

  #contextOf(check: Check, target: JobTarget): Omit<JobContext, 'signal'> {
    const [stack, own] = [this.#state.stackOf(target), this.#state.targetOf(target)];
    // Declared deviations show only in the checks about them, which have their own target.
    const [main] = this.#targets.keys();
    const every = target.id === main ? this.#every : null;
    return { input: this.#input, register: this.#register, check, target, stack, state: own, every };
  }
}

/** How late this process is, ms, when another one has the processor. */
const lateMs = 200;
const nsPerMs = 1e6;

/** Counts the moments at which this process itself was late, so that times it measured meanwhile say little. */
class OwnLateness {
  readonly #delay = monitorEventLoopDelay({ resolution: 20 });
  #count = 0;

  constructor() {
    this.#delay.enable();
  }

  /** How often it was late so far; it only grows. */
  get count(): number {
    this.look();
    return this.#count;
  }

  look(): void {
    if (this.#delay.max > lateMs * nsPerMs) this.#count += 1;
    this.#delay.reset();
  }

  close(): void {
    this.#delay.disable();
  }
}
