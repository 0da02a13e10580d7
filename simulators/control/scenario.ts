import type { Disturbance, Selectors, TenantRule } from './arming.ts';
import type { Pacing } from './protocol.ts';

/** What the simulated upstreams of a scope go through: the content of a scenario file. Times are ms. */
export interface Scenario {
  /** Letters, digits and dashes; it decides on the draws. */
  name: string;
  description?: string;
  /** In place of the seed of the process. */
  seed?: number;
  /** Only in the scenario that the simulators start with: they are added to the rules of the process. */
  scopes?: TenantRule[];
  /** By name of a channel, `*` standing for any characters. The first that fits a channel is its own. */
  channels: Record<string, ScenarioChannel>;
}

/** One channel: how it behaves, unless an outage or a phase says otherwise. */
export interface ScenarioChannel extends Behaviour {
  /** One after the other; after the last the channel behaves as without. */
  phases?: Phase[];
  /** Begin again after the last phase. Default false. */
  loop?: boolean;
  /** Windows of the scenario's time in which every request meets the same. */
  outages?: Outage[];
}

/**
 * What befalls a request: a fault, a reply, or in a file also the answer of an exchange (default 1) in a capture,
 * whose path begins at the folder of the scenario.
 */
export type ScenarioDisturbance = Disturbance | { capture: { file: string; exchange?: number } };

/** Asked in this order: flapping, capacity, faults. The first that befalls a request is what it meets. */
export interface Behaviour {
  latency?: Pacing;
  /** The first `ok` requests are well, the next `failing` are not, and so on. */
  flapping?: ScenarioDisturbance & { ok: number; failing: number };
  /** More than so many a second meet the disturbance; up to `burst` (default 1) are let through at once. */
  capacity?: ScenarioDisturbance & { per_second: number; burst?: number };
  /** Each befalls its share of the requests; together at most all of them. */
  faults?: FaultShare[];
}

/** Members that a phase has stand in place of those of its channel. */
export interface Phase extends Behaviour {
  name?: string;
  /** Without it the phase lasts until the next step. */
  for_ms?: number;
}

/** What befalls a share of the requests: those that it selects, and in whose dialect and kind the fault exists. */
export type FaultShare = ScenarioDisturbance & {
  /** From 0 to 1, or from one to the other over the time of the phase. Default 1. */
  rate?: number | Ramp;
  /** Only these requests. */
  when?: Selectors;
};

export interface Ramp {
  from: number;
  to: number;
}

/** From `from_ms` on, before `until_ms` (default: for ever), counted from the beginning of the scenario. */
export type Outage = ScenarioDisturbance & { from_ms: number; until_ms?: number };

/** Where a scope stands in its scenario. */
export interface ScenarioState {
  name: string;
  seed: number;
  /** Null before the first request, when the simulators were started with the scenario. */
  began_at_ms: number | null;
  /** Channels that were asked or stepped; `phase` is null where none is in force. */
  channels: Record<string, { phase: { index: number; name: string | null; since_ms: number } | null }>;
}

/** How a scenario is armed for a scope: by the name of a file in `fixtures/scenarios`, or as it stands. */
export type ScenarioChoice = { file: string } | { scenario: Scenario };
