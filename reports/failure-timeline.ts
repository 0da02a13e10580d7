/** The shape of what happened around a failure, as three lanes. */

/** Who saw a request of a timeline: the caller, the simulated upstream, the receiver of events. */
export const laneNames = ['client', 'upstream', 'receiver'] as const;
export type LaneName = (typeof laneNames)[number];

/** A request in a lane. Times are ms since the check began, by the clock of the deployment: a moved clock moves them. */
export interface TimelineRow {
  /** Its purpose (`one fault`); the channel of the upstream; which delivery of the event it was. */
  label: string;
  method: string;
  /** Path and query. */
  path: string;
  from_ms: number;
  /** When the first byte of the answer was there; null when there was none. */
  first_byte_ms: number | null;
  /** Null when it had not ended when the check was over. */
  to_ms: number | null;
  /** Null when there was no answer. */
  status: number | null;
  /** What is unusual about it: a transport error, the fault that the upstream played, how a connection ended. */
  note?: string;
  /** What it has to do with the failure: it shows it, is its twin, or belongs to the same calls; absent for others. */
  role?: 'shows' | 'twin' | 'same';
  /** When the pieces of the answer came or went, at most 40 of them. */
  pieces_ms?: number[];
  /** The first bytes of the request and of its answer, of requests in the upstream's and the receiver's lane with a role. */
  request?: string;
  answer?: string;
}

/** One of the three lanes. */
export interface TimelineLane {
  /** In the order of their starts. */
  rows: TimelineRow[];
  /** How many more there were, that are not shown; absent for none. */
  left_out?: number;
  /** Why there is no record of what happened here; absent if there is one. */
  no_source?: string;
}

/** When a channel must not be called: by the rules of breakers that the profile declares. */
export interface BreakerSpan {
  channel: string;
  from_ms: number;
  /** When it may be tried again. */
  to_ms: number;
}

/** What happened around a failure. */
export interface FailureTimeline {
  /** When the rule was seen broken, in which lane, and in which row of it; null where no single request shows it. */
  moment: { at_ms: number; lane: LaneName | null; row: number | null };
  client: TimelineLane;
  upstream: TimelineLane;
  receiver: TimelineLane;
  /** Where the failure is about time, and the breakers' rules are declared. */
  breakers?: BreakerSpan[];
}
