import type { Selectors, ShownSelectors } from './matching.ts';
import type { Reply, ScriptedFault } from './protocol.ts';

/** The shapes of faults and tenant rules on the control API. Types only. */

/** The disturbance of a request: a fault of the catalogue, or any reply. */
export type Disturbance = { fault: ScriptedFault } | { reply: Reply };

/** A disturbance for matching requests of a tenant. The newest that fires wins over scripts and scenario. */
export type FaultRule = Disturbance & {
  when?: Selectors;
  /** The probability that it fires, above 0 and up to 1; drawn by the seed. Default 1. */
  rate?: number;
  /** How often it fires before it is removed. Default: without limit. */
  times?: number;
  /** Removed after this time, ms, on the simulators' clock. Default: never. */
  ttl_ms?: number;
};

/** The state of an active disturbance. */
export interface FaultRuleState {
  id: string;
  when: ShownSelectors;
  reply: Reply;
  rate: number;
  /** How often it has fired. */
  fired: number;
  /** How often it may still fire; null without a limit. */
  times_left: number | null;
  expires_at_ms: number | null;
}

/**
 * Assigns the requests that match `when` to a tenant. Rules are tried in order; the first match decides.
 * Path rules apply to every URL, others only to URLs of the tenant `default`.
 */
export interface TenantRule {
  /** The tenant. Optional when a header without a value names it. */
  tenant?: string;
  /** Replaces the channel of the URL. */
  channel?: string;
  when: TenantSelectors;
}

/** Selects the requests of a rule; at least one member. */
export interface TenantSelectors {
  /** The upstream API key. Never shown again. */
  key?: string;
  /** The first segments of the URL, which are removed: `/team-a` of `/team-a/v1/messages`. */
  path?: string;
  model?: string;
  marker?: string;
  header?: { name: string; value?: string };
}

/** A rule as the API shows it: a key as the beginning of its hash. */
export type TenantRuleState = TenantRule & { id: string };
