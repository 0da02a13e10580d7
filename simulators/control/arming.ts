import type { Reply, ScriptedFault } from './protocol.ts';

/** The shapes of arms and scope rules as they travel over the control API. Types only. */

/** Which requests are meant: those for which all that is given holds. */
export interface Selectors {
  /** The channel of the address. */
  channel?: string;
  /** The native name of the model. */
  model?: string;
  /** The upstream API key that came with it. Never shown again. */
  key?: string;
  /** How the native path begins, from the version segment on: `/v1/messages`. */
  path?: string;
  /** Bytes of the body. */
  marker?: string;
  /** A header, whatever its value unless that is given. */
  header?: { name: string; value?: string };
}

/** Selectors as they are shown: of a key the beginning of its hash. */
export type ShownSelectors = Selectors;

/** What befalls a request: a fault of the catalogue, or any reply. */
export type Disturbance = { fault: ScriptedFault } | { reply: Reply };

/** A disturbance that waits for requests of a scope. The newest that fires wins, over scripts and scenario. */
export type Arm = Disturbance & {
  when?: Selectors;
  /** How likely it fires, from above 0 to 1; drawn by the seed. Default 1. */
  rate?: number;
  /** How often it fires before it is gone. Default: without end. */
  times?: number;
  /** When it is gone, ms from now on the simulators' clock. Default: never. */
  ttl_ms?: number;
};

/** An armed one as it stands. */
export interface ArmState {
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
 * Gives the requests for which all of `when` holds to a scope. Asked in the order they were added; the first that
 * holds decides. A path rule stands before an address with a lane, all others apply where the lane is `default`.
 */
export interface TenantRule {
  /** The scope. May be missing beside a header without a value, which then names it. */
  scope?: string;
  /** The channel, in place of that of the address. */
  channel?: string;
  when: TenantSelectors;
}

/** At least one of them. */
export interface TenantSelectors {
  /** The upstream API key. Never shown again. */
  key?: string;
  /** The first segments of the address, which are taken away: `/team-a` of `/team-a/v1/messages`. */
  path?: string;
  model?: string;
  marker?: string;
  header?: { name: string; value?: string };
}

/** A rule as it is shown: of a key the beginning of its hash. */
export type TenantRuleState = TenantRule & { id: string };
