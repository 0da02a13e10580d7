import type { Selectors } from './matching.ts';
import type { Pacing } from './protocol.ts';
import type { Disturbance, TenantRule } from './rules.ts';

/** How a tenant's upstreams behave over time: the content of a scenario file. Times are ms. */
export interface Scenario {
  /** Letters, digits and dashes. The name seeds the draws. */
  name: string;
  description?: string;
  /** Replaces the seed of the process. */
  seed?: number;
  /** Tenant rules, added to those of the process. Only in the scenario that the simulators start with. */
  rules?: TenantRule[];
  /** By channel name; `*` stands for any characters. The first name that matches a channel applies. */
  channels: Record<string, ScenarioChannel>;
  /** How a drill rehearses the scenario. The simulators only check its form; `gatecheck drill` uses it. */
  drill?: ScenarioDrill;
}

/** The load of a drill, and the most that its callers may notice. */
export interface ScenarioDrill {
  /** How long the drill sends calls. */
  for_s: number;
  /** When the next phase begins, counted from the start. */
  steps_at_s?: number[];
  /** When the upstreams are healthy again. */
  well_from_s?: number;
  /** The kinds of routes whose models are called. */
  routes?: string[];
  /** Objectives, each such as `availability >= 99.5 %`. */
  thresholds: string[];
}

/** The behaviour of one channel outside of outages and phases. */
export interface ScenarioChannel extends Behaviour {
  /** Run one after the other. After the last one, the channel behaves as without phases. */
  phases?: Phase[];
  /** Repeat from the first phase after the last. Default false. */
  loop?: boolean;
  /** Windows of time in which every request meets the same disturbance. */
  outages?: Outage[];
}

/**
 * A disturbance; in a file also the answer of a captured exchange (default 1).
 * The path of a capture is relative to the scenario's folder.
 */
export type ScenarioDisturbance = Disturbance | { capture: { file: string; exchange?: number } };

/** Tried in this order: flapping, capacity, faults. The first that applies wins. */
export interface Behaviour {
  latency?: Pacing;
  /** The first `ok` requests pass, the next `failing` fail, and so on. */
  flapping?: ScenarioDisturbance & { ok: number; failing: number };
  /** Requests above the rate are disturbed; up to `burst` (default 1) pass at once. */
  capacity?: ScenarioDisturbance & { per_second: number; burst?: number };
  /** Each fault applies to its share of the requests. The shares add up to at most 1. */
  faults?: FaultShare[];
}

/** Members of a phase replace those of its channel. */
export interface Phase extends Behaviour {
  name?: string;
  /** The length of the phase. Default: until the next step. */
  for_ms?: number;
}

/** Applies to a share of the requests that it selects, where its fault exists in their dialect and kind. */
export type FaultShare = ScenarioDisturbance & {
  /** From 0 to 1, or a ramp over the time of the phase. Default 1. */
  rate?: number | Ramp;
  /** Only these requests. */
  when?: Selectors;
};

export interface Ramp {
  from: number;
  to: number;
}

/** Lasts from `from_ms` until before `until_ms` (default: without end), counted from the scenario's start. */
export type Outage = ScenarioDisturbance & { from_ms: number; until_ms?: number };

/** The state of a tenant's scenario. */
export interface ScenarioState {
  name: string;
  seed: number;
  /** Null before the first request when the process was started with the scenario. */
  began_at_ms: number | null;
  /** Channels that had a request or a step; `phase` is null outside of phases. */
  channels: Record<string, { phase: { index: number; name: string | null; since_ms: number } | null }>;
}

/** Chooses a scenario: the name of a file in `fixtures/scenarios`, or one given inline. */
export type ScenarioChoice = { file: string } | { scenario: Scenario };
