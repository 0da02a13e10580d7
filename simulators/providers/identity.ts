/** What identifies an answer; ids are seeded by it and never by time. */
export interface Identity {
  readonly seed: number;
  readonly lane: string;
  readonly channel: string;
  /** The number of the request in its lane. */
  readonly n: number;
  readonly nowMs: number;
}
