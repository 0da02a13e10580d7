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
  /** What its upstream told of it without being asked, in the order in which each first left. */
  reports: JobReport[];
  /** How many reports are still to come or under way, the one of its end included; 0 when nothing more is told. */
  reports_open: number;
}

/** One report of a job, as it went to the URL that the submit named. */
export interface JobReport {
  /** Counts the reports of the job from 1. */
  n: number;
  /** Its `callback-id`, the same on every try. */
  id: string;
  /** Its `callbackType`. */
  kind: string;
  /** How often it has left. */
  tries: number;
  /** The last answer; null as long as there is none, and when the last try brought none. */
  status: number | null;
  /** The beginning of the last answer's body, at most 2048 characters. */
  answer: string;
  /** When the last try left. */
  at_ms: number;
  /** What a fault made of it, in the word of the fault's form; null for one that is as it should be. */
  befallen: string | null;
}

/** The answer to `GET /lanes/{lane}/jobs`, in the order of their submission. */
export interface JobsAnswer {
  jobs: JobState[];
}
