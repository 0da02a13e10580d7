/** How the jobs of a run are run, wherever they are. */
export interface HowToRun {
  /** Stop after this many failures; 0 never stops. */
  readonly bail: number;
  /** Aborted when the user interrupts the run. */
  readonly signal: AbortSignal;
  /** How many jobs may have begun at once. They see themselves how many of them work. */
  readonly atOnce: number;
}

/** Longer than any check may take, including its waits for tenants and for the clock, ms. */
export const jobLimitMs = 900_000;

/** How long a run may take to put its targets in order at its end, ms. */
export const closeLimitMs = 60_000;
