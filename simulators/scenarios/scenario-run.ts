import type { Scenario, ScenarioState } from '../control/scenario.ts';
import type { RequestFacts } from '../requests/request-facts.ts';
import { fits } from '../requests/selectors.ts';
import { ChannelRun, type ScenarioEffect } from './channel-run.ts';
import type { Draws } from './draws.ts';

/** How many channels have a state. A client that invents names must not fill the process. */
const maxChannels = 256;
const maxSteps = 1000;

interface Step {
  readonly atMs: number;
  /** Null for all channels. */
  readonly channel: string | null;
}

/** The run of a scenario in one tenant. */
export class ScenarioRun {
  readonly scenario: Scenario;
  readonly #seed: number;
  readonly #channels = new Map<string, ChannelRun>();
  /** Past steps, which a channel must catch up on with its first request. */
  #steps: readonly Step[] = [];
  #beganAtMs: number | null;

  /** The scenario starts at `beganAtMs`; when that is null, it starts with the first request. */
  constructor(scenario: Scenario, processSeed: number, beganAtMs: number | null) {
    this.scenario = scenario;
    this.#seed = scenario.seed ?? processSeed;
    this.#beganAtMs = beganAtMs;
  }

  get seed(): number {
    return this.#seed;
  }

  /** The effect on the request; null on a channel that the scenario does not name. */
  effectOn(request: RequestFacts, draws: Draws, nowMs: number): ScenarioEffect | null {
    return this.#runOf(request.channel, nowMs)?.effectOn(request, draws, nowMs) ?? null;
  }

  /** Moves every channel (or only the given one) to its next phase, even channels without a request so far. */
  step(nowMs: number, channel: string | null = null): void {
    this.#beganAtMs ??= nowMs;
    if (channel !== null) this.#runOf(channel, nowMs);
    const step = { atMs: nowMs, channel };
    for (const [name, run] of this.#channels) takeStep(run, name, step);
    this.#steps = [...this.#steps, step].slice(-maxSteps);
  }

  state(nowMs: number): ScenarioState {
    const channels = [...this.#channels].map(([name, run]) => {
      const current = run.phaseAt(nowMs);
      const phase =
        current === null
          ? null
          : { index: current.index, name: current.phase.name ?? null, since_ms: current.sinceMs };
      return [name, { phase }] as const;
    });
    return {
      name: this.scenario.name,
      seed: this.#seed,
      began_at_ms: this.#beganAtMs,
      channels: Object.fromEntries(channels),
    };
  }

  #runOf(channel: string, nowMs: number): ChannelRun | null {
    const known = this.#channels.get(channel);
    if (known !== undefined) return known;
    const found = Object.entries(this.scenario.channels).find(([name]) => fits(name, channel));
    if (found === undefined || this.#channels.size >= maxChannels) return null;
    this.#beganAtMs ??= nowMs;
    const run = new ChannelRun(found[1], this.#beganAtMs);
    for (const step of this.#steps) takeStep(run, channel, step);
    this.#channels.set(channel, run);
    return run;
  }
}

function takeStep(run: ChannelRun, name: string, { atMs, channel }: Step): void {
  if (channel === null || channel === name) run.step(atMs);
}
