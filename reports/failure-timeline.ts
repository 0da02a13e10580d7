/** The data of a failure's timeline, in three lanes. */

/** Who saw a request of a timeline: the caller, the simulated upstream, the receiver of events. */
export const laneNames = ['client', 'upstream', 'receiver'] as const;
export type LaneName = (typeof laneNames)[number];

/** A request in a lane. Times are ms since the check began, on the clock of the deployment, so a moved clock moves them. */
export interface TimelineRow {
  /** Its purpose (`one fault`), the channel of the upstream, or the number of the event's delivery. */
  label: string;
  method: string;
  /** Path and query. */
  path: string;
  from_ms: number;
  /** When the first byte of the answer arrived; null without an answer. */
  first_byte_ms: number | null;
  /** Null if it had not ended when the check ended. */
  to_ms: number | null;
  /** Null without an answer. */
  status: number | null;
  /** Anything unusual: a transport error, the fault that the upstream played, how a connection ended. */
  note?: string;
  /** Its relation to the failure: it shows it, is its positive twin, or belongs to the same calls; absent for others. */
  role?: 'shows' | 'twin' | 'same';
  /** When the pieces of the answer arrived or were sent, at most 40. */
  pieces_ms?: number[];
  /** The first bytes of request and answer. Only for requests with a role, in the lanes of upstream and receiver. */
  request?: string;
  answer?: string;
}

/** One of the three lanes. */
export interface TimelineLane {
  /** In the order of their starts. */
  rows: TimelineRow[];
  /** Number of further requests that are not shown; absent if none. */
  left_out?: number;
  /** Why this lane has no record; absent if it has one. */
  no_source?: string;
}

/** When a channel must not be called, by the breaker rules that the profile declares. */
export interface BreakerSpan {
  channel: string;
  from_ms: number;
  /** When another attempt is allowed. */
  to_ms: number;
}

/** What happened around a failure. */
export interface FailureTimeline {
  /** When the violation was observed, in which lane and row; null if no single request shows it. */
  moment: { at_ms: number; lane: LaneName | null; row: number | null };
  client: TimelineLane;
  upstream: TimelineLane;
  receiver: TimelineLane;
  /** Present if the failure is about time and the breaker rules are declared. */
  breakers?: BreakerSpan[];
}
