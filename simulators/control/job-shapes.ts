/** The shapes of jobs on the control API. Types only. */

/** The life of a job. Times are ms from its submission on the simulators' clock. */
export interface ScriptedJob {
  /** How long it stays queued. Default 20. */
  queued_ms?: number;
  /** When it ends. Default 40. */
  running_ms?: number;
  /** The stage in which it stays until it is moved by hand. */
  hold?: JobHold;
  /** How it ends. Default `success`. */
  end?: JobEnd;
  /**
   * For a job that does not succeed: a code word of the jobs dialect, or a number of the callback-jobs
   * dialect.
   */
  error?: JobError;
  /** The number of results. Default: as requested. */
  outputs?: number;
  /** The duration of its results. Default: as requested. */
  duration_s?: number;
  /** Sent with every poll that finds it unfinished. */
  retry_after_s?: number;
  /** How long its links work after its end. Default 3,600,000. */
  link_life_ms?: number;
  /** The indexes, from 0, of results whose links never work. Default: none. */
  lost_outputs?: number[];
  /** A suffix of the job id: characters that a URL must encode. Default: none. */
  id_tail?: string;
  /** A legal but rare form for the job's files. Files of other kinds stay as they are. */
  file_form?: FileForm;
  /** Where the links of one answer differ: in their path, or only in their query. Default `path`. */
  links_by?: 'path' | 'query';
  /** The format of each image of an image call, in order. The last one repeats. Default: as requested. */
  pictures_as?: ('url' | 'base64')[];
}

/**
 * Forms of files. Videos: a box of 64-bit length. WAV: a chunk of odd length. MP3: all bit rates of an MPEG version. Images:
 * JPEG with fill bytes before its markers or with restarts, or lossless or extended WebP.
 */
export type FileForm =
  | ('long-box' | 'odd-chunk' | 'rates-1' | 'rates-2' | 'rates-2.5')
  | ('jpeg' | 'jpeg-filled' | 'jpeg-restarts' | 'webp-lossless' | 'webp-extended');

export type JobHold = 'queued' | 'running';

export type JobEnd = 'success' | 'failed' | 'canceled';

export interface JobError {
  code: string;
  message: string;
}

/** Moves a job by hand: to running, where it then stays, or to its end. */
export type JobMove = { to: 'running' } | { end: JobEnd; error?: JobError };

/** The state of an upstream's job. */
export interface JobState {
  id: string;
  channel: string;
  dialect: 'jobs' | 'callback-jobs';
  /** The native model name. */
  model: string;
  /** The Idempotency-Key or `reference` of its submit. */
  reference: string | null;
  status: 'queued' | 'running' | JobEnd;
  /** The number of submits for this job: the first one and all that repeated its key. */
  submits: number;
  polls: number;
  /** The number of reads of its files. */
  downloads: number;
  created_at_ms: number;
  /** The native id of its parent job. */
  parent: string | null;
  /** The journal's `n` of its submit. */
  request_n: number;
  /** The callbacks that its upstream sent, in the order of their first attempts. */
  reports: JobReport[];
  /** How many callbacks are still due or in flight, including the one for its end. */
  reports_open: number;
}

/** One callback of a job, as sent to the URL that the submit named. */
export interface JobReport {
  /** The number of the callback within the job, from 1. */
  n: number;
  /** The `callback-id`, the same on every attempt. */
  id: string;
  /** Its `callbackType`. */
  kind: string;
  /** How often it was sent. */
  tries: number;
  /** The status of the last answer. Null before the first answer, and when the last attempt got none. */
  status: number | null;
  /** The beginning of the last answer's body, at most 2048 characters. */
  answer: string;
  /** The time of the last attempt. */
  at_ms: number;
  /** The form of the fault that changed it; null for a correct callback. */
  faulted: string | null;
}

/** The answer to `GET /tenants/{tenant}/jobs`, in order of submission. */
export interface JobsAnswer {
  jobs: JobState[];
}
