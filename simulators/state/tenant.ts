import type { CheckAnswer, UnexpectedRequest } from '../control/matching.ts';
import type { Reply } from '../control/protocol.ts';
import type { Scenario } from '../control/scenario.ts';
import { Draws } from '../scenarios/draws.ts';
import { ScenarioRun } from '../scenarios/scenario-run.ts';
import { FaultRules } from './fault-rules.ts';
import { JobBook } from './jobs/job-book.ts';
import { Journal } from './journal.ts';
import type { JournalFeed } from './journal-feed.ts';
import type { JournalSpace } from './journal-space.ts';
import { RateLimits } from './rate-limits.ts';
import type { Redaction } from './redaction.ts';
import { type FileScripts, Scripts } from './scripts.ts';

/** A request in flight, with the operations that its tenant may call. */
export interface LiveRequest {
  readonly n: number;
  /** Releases it if it waits at a gate now, with another reply only before its head; returns whether it did. */
  openGate(instead?: Reply): boolean;
  /** Aborts it. */
  end(): void;
}

/** How many routes have a counter of their own. A client that invents paths must not fill the process. */
const maxRoutes = 1000;
const longestRoute = 1024;

/** A route with the number of its model calls. */
interface CountedRoute {
  readonly name: string;
  calls: number;
}

/** The dependencies of a tenant. */
export interface TenantOptions {
  readonly seed?: number;
  /** The time of the simulators' clock, ms. */
  readonly now?: () => number;
  /** The default scenario of a tenant. */
  readonly scenario?: Scenario | null;
  readonly redaction?: Redaction;
  /** The space that the journals of all tenants share. */
  readonly space?: JournalSpace;
  /** Receives every change of a journal. */
  readonly feed?: JournalFeed;
  /** The scripts of files. */
  readonly files?: FileScripts;
  readonly settings?: Partial<TenantSettings>;
}

/** How a tenant treats unscripted requests, and which variants apply. */
export interface TenantSettings {
  /** Whether a model call without a script gets a 501 that names the nearest script. */
  readonly strict: boolean;
  /** Whether models that the simulators do not list are rejected. */
  readonly strictModels: boolean;
  /** The active variants of dialects, by name. */
  readonly variants: readonly string[];
}

const usualSettings: TenantSettings = { strict: false, strictModels: false, variants: [] };

/** The maximum number of recorded requests without a script; more than a reader needs. */
const maxUnexpected = 100;

/** One tenant: isolated upstreams with their own scripts, faults, scenario, jobs, journal and requests in flight. */
export class Tenant {
  readonly name: string;
  readonly journal: Journal;
  readonly faultRules = new FaultRules();
  readonly scripts: Scripts;
  readonly jobs = new JobBook();
  readonly rateLimits = new RateLimits();
  settings: TenantSettings;
  readonly #usual: TenantSettings;
  #unexpected: UnexpectedRequest[] = [];
  readonly #seed: number;
  readonly #now: () => number;
  readonly #ofProcess: Scenario | null;
  /** Model calls by route since the last reset. */
  readonly #calls = new Map<string, CountedRoute>();
  #scenario: ScenarioRun | null;
  /** Whether the scenario is the tenant's own. */
  #follows = false;
  readonly #live = new Set<LiveRequest>();
  #generation: object = {};

  constructor(name: string, options: TenantOptions = {}) {
    const { seed = 1, now = () => 0, scenario = null, redaction, space, feed, files, settings } = options;
    this.name = name;
    this.journal = new Journal(name, undefined, redaction, space, feed);
    this.scripts = new Scripts(files ?? { scripts: [] });
    this.#usual = { ...usualSettings, ...settings };
    this.settings = this.#usual;
    this.#seed = seed;
    this.#now = now;
    this.#ofProcess = scenario;
    this.#scenario = this.#scenarioOfProcess();
  }

  /** The active scenario; null if none. */
  get scenario(): ScenarioRun | null {
    return this.#scenario;
  }

  /** Starts a scenario of the tenant's own. Null returns to the scenario of the process, from its beginning. */
  playScenario(scenario: Scenario | null): void {
    this.#follows = scenario !== null;
    this.#scenario =
      scenario === null ? this.#scenarioOfProcess() : new ScenarioRun(scenario, this.#seed, this.#now());
  }

  /** The draws of the next model call of the route. */
  draw(route: string): Draws {
    const counted = this.#calls.get(route) ?? this.#count(route);
    counted.calls += 1;
    const { seed, scenario } = this.#scenario ?? { seed: this.#seed, scenario: null };
    return new Draws({
      seed,
      scenario: scenario?.name ?? null,
      tenant: this.name,
      route: counted.name,
      nth: counted.calls,
    });
  }

  #count(route: string): CountedRoute {
    const isOwn = this.#calls.size < maxRoutes && route.length <= longestRoute;
    const name = isOwn ? route : 'others';
    const known = this.#calls.get(name);
    if (known !== undefined) return known;
    const counted = { name, calls: 0 };
    this.#calls.set(name, counted);
    return counted;
  }

  /**
   * A new object after each reset. It is the key of state that an upstream keeps for the tenant, so a reset drops that state.
   */
  get generation(): object {
    return this.#generation;
  }

  /** Whether the tenant can be dropped without loss: it was never used, or was reset since. */
  get isFresh(): boolean {
    const isSteered = !this.scripts.isEmpty || !this.faultRules.isEmpty || this.#follows;
    const isIdle = this.#live.size === 0 && this.#calls.size === 0 && this.jobs.isEmpty;
    return !isSteered && isIdle && this.journal.isIdle;
  }

  /** Notes a request without a script. */
  noteUnexpected({ why, ...request }: Omit<UnexpectedRequest, 'why'> & { why(): string }): void {
    if (this.#unexpected.length < maxUnexpected) this.#unexpected.push({ ...request, why: why() });
  }

  /** The reasons for a test to fail. */
  check(): CheckAnswer {
    return {
      unused: this.scripts.unused(),
      unmet: this.faultRules.unmet(this.#now()),
      unexpected: [...this.#unexpected],
    };
  }

  attach(request: LiveRequest): void {
    this.#live.add(request);
  }

  detach(request: LiveRequest): void {
    this.#live.delete(request);
  }

  /** Opens the gates where requests wait now, or cuts their connections. With `n`, only request `n`. */
  release(
    n?: number,
    { cut = false, reply }: { readonly cut?: boolean; readonly reply?: Reply } = {},
  ): number {
    const concerned = [...this.#live].filter((request) => n === undefined || request.n === n);
    if (!cut) return concerned.filter((request) => request.openGate(reply)).length;
    for (const request of concerned) request.end();
    return concerned.length;
  }

  /** Returns to a fresh tenant: aborts requests in flight and removes all settings and state. */
  reset(): void {
    for (const request of [...this.#live]) request.end();
    this.scripts.clear();
    this.#unexpected = [];
    this.faultRules.clear();
    this.jobs.clear();
    this.rateLimits.clear();
    this.#calls.clear();
    this.playScenario(null);
    this.settings = this.#usual;
    this.#generation = {};
    this.journal.clear();
  }

  #scenarioOfProcess(): ScenarioRun | null {
    return this.#ofProcess === null ? null : new ScenarioRun(this.#ofProcess, this.#seed, null);
  }
}
