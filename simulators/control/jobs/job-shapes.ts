/** The shapes of jobs as they travel over the control API. Types only. */

/** What becomes of a job. Times are ms from its submission on the simulators' clock, evaluated when somebody looks. */
export interface ScriptedJob {
  /** How long it waits. Default 20. */
  queued_ms?: number;
  /** When it is ready. Default 40. */
  running_ms?: number;
  /** Where it stays until it is told: waiting, or once it runs. */
  hold?: JobHold;
  /** How it ends. Default `success`. */
  end?: JobEnd;
  /** Of one that ends otherwise; the code in the words of the polled dialect, or a number of the other one. */
  error?: JobError;
  /** How many results it has; of those asked for when omitted. */
  outputs?: number;
  /** How long its results last; as asked for when omitted. */
  duration_s?: number;
  /** Told with every poll that finds it unfinished. */
  retry_after_s?: number;
  /** How long its links work from its end. Default 3,600,000. */
  link_life_ms?: number;
}

export type JobHold = 'queued' | 'running';

export type JobEnd = 'success' | 'failed' | 'canceled';

export interface JobError {
  code: string;
  message: string;
}

/** Moves a job by hand: from waiting to running, where it then stays; or to its end. */
export type JobMove = { to: 'running' } | { end: JobEnd; error?: JobError };

/** A job of an upstream as it stands. */
export interface JobState {
  id: string;
  channel: string;
  dialect: 'jobs' | 'callback-jobs';
  /** The native name. */
  model: string;
  /** The Idempotency-Key or the `reference` that it was submitted with. */
  reference: string | null;
  status: 'queued' | 'running' | JobEnd;
  /** How many submits named it: the one that began it, and those with its key again. */
  submits: number;
  polls: number;
  /** Reads of its files. */
  downloads: number;
  created_at_ms: number;
  /** The native id of the job that it goes on from. */
  parent: string | null;
  /** The journal's n of the submit that began it. */
  request_n: number;
}

/** The answer to `GET /lanes/{lane}/jobs`, in the order of their submission. */
export interface JobsAnswer {
  jobs: JobState[];
}
