import type { Reply, Script } from '../control/protocol.ts';
import type { Scenario } from '../control/scenario.ts';
import { Draws } from '../scenarios/draws.ts';
import { ScenarioRun } from '../scenarios/scenario-run.ts';
import { Arms } from './arms.ts';
import { JobBook } from './jobs/job-book.ts';
import { Journal } from './journal.ts';
import type { JournalSpace } from './journal-space.ts';
import type { Redaction } from './redaction.ts';

/** A request that is being answered, as far as its tenant may steer it. */
export interface LiveRequest {
  readonly n: number;
  /** Lets it go on if it waits at a gate now; says whether it did. */
  openGate(): boolean;
  /** Breaks it off. */
  end(): void;
}

/** The reply a script holds for a request. */
export interface ScriptedReply {
  readonly script: string;
  readonly reply: Reply;
}

interface ArmedScript {
  readonly id: string;
  readonly script: Script;
  /** How many requests it has answered. */
  used: number;
}

/** Scripts that nobody removes must not fill the process. */
const maxScripts = 1000;

/** Routes that are counted on their own; a client that invents paths must not fill the process. */
const maxRoutes = 1000;
const longestRoute = 1024;

/** What a tenant has of its process. */
export interface TenantOptions {
  readonly seed?: number;
  /** The time of the simulators' clock, ms. */
  readonly now?: () => number;
  /** What the tenant goes through as long as it has no scenario of its own. */
  readonly scenario?: Scenario | null;
  readonly redaction?: Redaction;
  /** What the journals of all tenants share. */
  readonly space?: JournalSpace;
}

/** One isolated set of upstreams (a tenant): its own scripts, arms, scenario, jobs, journal and requests in flight. */
export class Tenant {
  readonly name: string;
  readonly journal: Journal;
  readonly arms = new Arms();
  readonly jobs = new JobBook();
  readonly #seed: number;
  readonly #now: () => number;
  readonly #ofProcess: Scenario | null;
  /** Model calls by route since the last reset. */
  readonly #calls = new Map<string, number>();
  #scenario: ScenarioRun | null;
  /** Whether the scenario is the tenant's own. */
  #follows = false;
  readonly #live = new Set<LiveRequest>();
  /** Newest first. */
  #scripts: ArmedScript[] = [];
  #lastScript = 0;
  #generation: object = {};

  constructor(name: string, options: TenantOptions = {}) {
    const { seed = 1, now = () => 0, scenario = null, redaction, space } = options;
    this.name = name;
    this.journal = new Journal(name, undefined, redaction, space);
    this.#seed = seed;
    this.#now = now;
    this.#ofProcess = scenario;
    this.#scenario = this.#scenarioOfProcess();
  }

  /** What the upstreams go through; null when nothing was armed. */
  get scenario(): ScenarioRun | null {
    return this.#scenario;
  }

  /** Begins a scenario of the tenant's own, now; null goes back to the one of the process, from its beginning. */
  playScenario(scenario: Scenario | null): void {
    this.#follows = scenario !== null;
    this.#scenario =
      scenario === null ? this.#scenarioOfProcess() : new ScenarioRun(scenario, this.#seed, this.#now());
  }

  /** The draws of the next model call of the route. */
  draw(route: string): Draws {
    const isCounted =
      this.#calls.has(route) || (this.#calls.size < maxRoutes && route.length <= longestRoute);
    const counted = isCounted ? route : 'others';
    const nth = (this.#calls.get(counted) ?? 0) + 1;
    this.#calls.set(counted, nth);
    const { seed, scenario } = this.#scenario ?? { seed: this.#seed, scenario: null };
    return new Draws({ seed, scenario: scenario?.name ?? null, tenant: this.name, route: counted, nth });
  }

  /** Another object after each reset: what an upstream remembers for the tenant hangs on it and goes with it. */
  get generation(): object {
    return this.#generation;
  }

  /** Arms a script and returns its id, or null when the tenant holds as many as it may. */
  arm(script: Script): string | null {
    if (this.#scripts.length >= maxScripts) return null;
    this.#lastScript += 1;
    const id = `script-${this.#lastScript}`;
    this.#scripts.unshift({ id, script, used: 0 });
    return id;
  }

  /** Whether there was such a script. */
  disarm(id: string): boolean {
    const before = this.#scripts.length;
    this.#scripts = this.#scripts.filter((armed) => armed.id !== id);
    return this.#scripts.length < before;
  }

  /** Takes the next reply of the newest script that matches; null stands for generated behaviour. */
  nextReply(channel: string, body: Buffer): ScriptedReply | null {
    const armed = this.#scripts.find(({ script }) => matches(script, channel, body));
    if (armed === undefined) return null;
    const { replies, then } = armed.script;
    const reply = replies[armed.used] ?? (then === 'default' ? undefined : replies.at(-1));
    armed.used += 1;
    return reply === undefined ? null : { script: armed.id, reply };
  }

  /** Whether nothing would be lost with it: nobody has used it, or it has been reset since. */
  get isFresh(): boolean {
    const isSteered = this.#scripts.length > 0 || !this.arms.isEmpty || this.#follows;
    const isIdle = this.#live.size === 0 && this.#calls.size === 0 && this.jobs.isEmpty;
    return !isSteered && isIdle && this.journal.isIdle;
  }

  attach(request: LiveRequest): void {
    this.#live.add(request);
  }

  detach(request: LiveRequest): void {
    this.#live.delete(request);
  }

  /** Opens the gates where requests wait now (those of request `n` only, when given). */
  release(n?: number): number {
    const concerned = [...this.#live].filter((request) => n === undefined || request.n === n);
    return concerned.filter((request) => request.openGate()).length;
  }

  /** Back to a fresh tenant: requests in flight are broken off; all that was set up or remembered is gone. */
  reset(): void {
    for (const request of [...this.#live]) request.end();
    this.#scripts = [];
    this.arms.clear();
    this.jobs.clear();
    this.#calls.clear();
    this.playScenario(null);
    this.#generation = {};
    this.journal.clear();
  }

  #scenarioOfProcess(): ScenarioRun | null {
    return this.#ofProcess === null ? null : new ScenarioRun(this.#ofProcess, this.#seed, null);
  }
}

function matches(script: Script, channel: string, body: Buffer): boolean {
  if (script.channel !== undefined && script.channel !== channel) return false;
  return script.marker === undefined || body.includes(script.marker);
}
